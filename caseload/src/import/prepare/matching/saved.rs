//! Matchings that somebody keeps under a name, to use them for the next file. One that was made for a file with the same columns is
//! used by itself.

use model::{AccountId, FieldError, MatchingId, Problem, import::SavedMatching};
use queue::{Database, Transaction, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait,
    sea_query::OnConflict,
};

use crate::{
    Actor, Caseload, Error, Result,
    caseload::Imports,
    entity::tasks::import_matching::{Column, Entity, Model},
    erase::erased::Erased,
    import::prepare::{matching::Matching, profile::Profile},
    limits::Limited,
    people::private_to_account::{self, Owned},
};

/// The longest name, in characters.
const LONGEST: usize = 60;

/// An account's, the one that was used last first.
pub async fn of(db: &Database, owner: AccountId) -> Result<Vec<SavedMatching>, DbErr> {
    let saved = own(db, owner).await?.into_iter();
    Ok(saved.map(|row| SavedMatching { id: row.id, name: row.name, used: row.used_date }).collect())
}

/// The last one that was made for a file with the same columns.
pub async fn fitting(db: &Database, owner: AccountId, profile: &Profile) -> Result<Option<(MatchingId, Matching)>> {
    for row in own(db, owner).await? {
        let matching = read(&row)?;
        if matching.fits(profile) {
            return Ok(Some((row.id, matching)));
        }
    }
    Ok(None)
}

async fn own(db: &Database, owner: AccountId) -> Result<Vec<Model>, DbErr> {
    let own = Entity::find().filter(Column::OwnerId.eq(owner));
    own.order_by_desc(Column::UsedDate).order_by_asc(Column::Name).all(db.reader()).await
}

fn read(row: &Model) -> Result<Matching> {
    serde_json::from_str(&row.content).map_err(|error| Error::Internal(error.to_string()))
}

/// A name as it is kept, or what is wrong with it.
pub fn named(name: &str) -> Result<String, Problem> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let wrong = |code: &str, message: String| Problem::fields(vec![FieldError::new("matchingName", code, message)]);
    if name.is_empty() {
        return Err(wrong("required", "Name the matching, or clear “Save this matching”.".to_owned()));
    }
    if !model::enum_words::is_name(&name, LONGEST) {
        return Err(wrong("invalid", format!("Use at most {LONGEST} visible characters.")));
    }
    Ok(name)
}

/// Keeps a matching under a name; the name's former one is forgotten.
pub async fn save(caseload: &Caseload, txn: &Transaction, owner: AccountId, name: &str, of: &Matching) -> Result<()> {
    let db = caseload.db();
    let content = serde_json::to_string(of).map_err(|error| Error::Internal(error.to_string()))?;
    let row = [
        (Column::Id, queue::new_id::<MatchingId>().into()),
        (Column::OwnerId, owner.into()),
        (Column::Name, name.into()),
        (Column::Content, content.into()),
        (Column::UsedDate, db.instant()),
    ];
    let conflict = OnConflict::columns([Column::OwnerId, Column::Name])
        .update_columns([Column::Content, Column::UsedDate])
        .to_owned();
    txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await?;
    let count = Entity::find().filter(Column::OwnerId.eq(owner)).count(txn).await?;
    if count > caseload.limits().matchings.into() {
        return Err(caseload.limits().refusal(Limited::Matchings, None).into());
    }
    Ok(())
}

/// Notes that one was used.
pub async fn used(db: &Database, txn: &Transaction, owner: AccountId, id: MatchingId) -> Result<(), DbErr> {
    let used = Entity::update_many().col_expr(Column::UsedDate, db.instant());
    let used = used.filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(owner));
    txn.execute_raw(db.build(&used.into_query())).await.map(drop)
}

impl Imports<'_> {
    /// One of the actor's own.
    pub(in crate::import::prepare) async fn saved_matching(self, actor: &Actor, id: MatchingId) -> Result<Matching> {
        let own = Entity::find_by_id(id).filter(Column::OwnerId.eq(actor.person_id)).one(self.0.db().reader()).await?;
        match own {
            Some(row) => read(&row),
            None => Err(self.no_matching(actor, id).await),
        }
    }

    /// Forgets a saved matching. What was begun with it stays as it is.
    pub async fn forget_matching(self, actor: &Actor, id: MatchingId) -> Result<()> {
        self.may_import(actor)?;
        let gone = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(actor.person_id));
        match self.0.db().write_query(&gone.into_query()).await? {
            0 => Err(self.no_matching(actor, id).await),
            _ => Ok(()),
        }
    }

    async fn no_matching(self, actor: &Actor, id: MatchingId) -> Error {
        let said = Problem::not_found("saved matching");
        private_to_account::not_ones_own(self.0, actor, Owned::Matching(id), said).await
    }
}

/// Drops those that name somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let is_named = |row: &Model| erased.is_named_in(&row.name) || erased.is_named_in(&row.content);
    for row in Entity::find().all(txn).await?.into_iter().filter(is_named) {
        let gone = Entity::delete_many().filter(Column::Id.eq(row.id));
        txn.execute_raw(db.build(&gone.into_query())).await?;
    }
    Ok(())
}
