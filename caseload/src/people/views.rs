//! Saved views: searches of the people page that somebody keeps under a name.

use model::{FieldError, PeopleQuery, Problem, ViewId, person::SavedView};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait,
    sea_query::OnConflict,
};

use crate::{
    Actor, Result,
    caseload::Views,
    entity::people::saved_view::{Column, Entity, Model},
    erase::erased::Erased,
    limits::Limited,
    people::private_to_account::{self, Owned},
};

/// The longest name, in characters.
const LONGEST: usize = 60;

impl Views<'_> {
    /// The actor's views, by name.
    pub async fn list(self, actor: &Actor) -> Result<Vec<SavedView>> {
        let views = Entity::find().filter(Column::OwnerId.eq(actor.person_id)).order_by_asc(Column::Name);
        let views = views.all(self.0.db().reader()).await?;
        Ok(views.into_iter().map(|view| SavedView { id: view.id, name: view.name, query: view.query }).collect())
    }

    /// Keeps a search under a name; the name's former search is forgotten. Where somebody was on the page is not kept.
    pub async fn save(self, actor: &Actor, name: &str, query: PeopleQuery) -> Result<()> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let wrong = |code: &str, message: String| Problem::fields(vec![FieldError::new("name", code, message)]);
        if name.is_empty() {
            return Err(wrong("required", "Give the view a name.".to_owned()).into());
        }
        if !model::enum_words::is_name(&name, LONGEST) {
            return Err(wrong("invalid", format!("Use at most {LONGEST} visible characters.")).into());
        }
        let query = PeopleQuery { after: None, ..query }.to_query();
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let row = [
            (Column::Id, queue::new_id::<ViewId>().into()),
            (Column::OwnerId, actor.person_id.into()),
            (Column::Name, name.into()),
            (Column::Query, query.into()),
            (Column::CreatedDate, db.instant()),
        ];
        let conflict = OnConflict::columns([Column::OwnerId, Column::Name]).update_column(Column::Query).to_owned();
        txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await?;
        let count = Entity::find().filter(Column::OwnerId.eq(actor.person_id)).count(&txn).await?;
        if count > self.0.limits().views.into() {
            return Err(self.0.limits().refusal(Limited::Views, None).into());
        }
        Ok(db.commit(txn).await?)
    }

    /// Forgets a view.
    pub async fn forget(self, actor: &Actor, id: ViewId) -> Result<()> {
        let gone = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(actor.person_id));
        match self.0.db().write_query(&gone.into_query()).await? {
            0 => {
                Err(private_to_account::not_ones_own(self.0, actor, Owned::View(id), Problem::not_found("view")).await)
            }
            _ => Ok(()),
        }
    }
}

/// Drops the views that search for somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let searched = |query: &str| PeopleQuery::from_query(query).map(|query| query.filter.q).unwrap_or_default();
    let is_named = |view: &Model| erased.is_named_in(&view.name) || erased.is_named_in(&searched(&view.query));
    for view in Entity::find().all(txn).await?.into_iter().filter(is_named) {
        let gone = Entity::delete_many().filter(Column::Id.eq(view.id));
        txn.execute_raw(db.build(&gone.into_query())).await?;
    }
    Ok(())
}
