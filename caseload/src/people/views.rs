//! Saved views: searches of the people page that somebody keeps under a name, for themselves or for colleagues as well. A search that
//! is shared finds those whom its reader reaches, as if they had typed it.

use model::{AccountId, FieldError, ListLook, PeopleQuery, Problem, ViewId, length::within, person::SavedView};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    UpdateMany, sea_query::OnConflict,
};

use crate::{
    Actor, Error, Result,
    caseload::Views,
    entity::people::{
        person,
        saved_view::{Column, Entity, Model},
    },
    erase::erased::Erased,
    limits::Limited,
    people::{
        list::rows::list_name,
        private_to_account::{self, Owned},
    },
};

/// The longest name, in characters.
const LONGEST: usize = 60;
/// The most views of colleagues that are listed.
const OTHERS: u64 = 50;

impl Views<'_> {
    /// The actor's views and then those that colleagues share, each by name.
    pub async fn list(self, actor: &Actor) -> Result<Vec<SavedView>> {
        let reader = self.0.db().reader();
        let own =
            Entity::find().filter(Column::OwnerId.eq(actor.person_id)).order_by_asc(Column::Name).all(reader).await?;
        let shared = Entity::find().filter(Column::Shared.eq(true)).filter(Column::OwnerId.ne(actor.person_id));
        let shared = shared.order_by_asc(Column::Name).limit(OTHERS).all(reader).await?;
        let owners: Vec<_> = shared.iter().map(|view| view.owner_id.person()).collect();
        let owners = match owners.is_empty() {
            true => Vec::new(),
            false => person::Entity::find().filter(person::Column::Id.is_in(owners)).all(reader).await?,
        };
        let owner_name = |id: AccountId| {
            let owner = owners.iter().find(|owner| owner.id == id.person());
            owner.map(|owner| list_name(&owner.last_name, &owner.first_name, None))
        };
        let shared = shared.into_iter().map(|view| {
            let owner_name = owner_name(view.owner_id).unwrap_or_default();
            SavedView { owner_name: Some(owner_name), ..saved(view) }
        });
        Ok(own.into_iter().map(saved).chain(shared).collect())
    }

    /// Keeps a search and how its list looks under a name that no view of theirs has. Where somebody was on the page is not kept.
    pub async fn save(self, actor: &Actor, name: &str, query: PeopleQuery, look: &ListLook) -> Result<SavedView> {
        let name = checked(name)?;
        let query = look.after(&PeopleQuery { after: None, ..query }.to_query());
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let row = [
            (Column::Id, queue::new_id::<ViewId>().into()),
            (Column::OwnerId, actor.person_id.into()),
            (Column::Name, name.clone().into()),
            (Column::Query, query.into()),
            (Column::CreatedDate, db.instant()),
        ];
        let conflict = OnConflict::columns([Column::OwnerId, Column::Name]).do_nothing().to_owned();
        if txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await?.rows_affected() == 0 {
            return Err(taken(&name).into());
        }
        let own = Entity::find().filter(Column::OwnerId.eq(actor.person_id));
        let count = own.clone().count(&txn).await?;
        if count > self.0.limits().views.into() {
            return Err(self.0.limits().refusal(Limited::Views, None).into());
        }
        let view = own.filter(Column::Name.eq(name)).one(&txn).await?;
        db.commit(txn).await?;
        Ok(saved(view.ok_or_else(|| Error::Internal("a view that was saved is not there".to_owned()))?))
    }

    /// Calls a view otherwise.
    pub async fn rename(self, actor: &Actor, id: ViewId, name: &str) -> Result<()> {
        let name = checked(name)?;
        let same = Entity::find().filter(Column::OwnerId.eq(actor.person_id)).filter(Column::Name.eq(&name));
        if same.filter(Column::Id.ne(id)).one(self.0.db().reader()).await?.is_some() {
            return Err(taken(&name).into());
        }
        self.change(actor, id, Entity::update_many().col_expr(Column::Name, name.into())).await
    }

    /// Keeps another search, and how its list looks, in a view.
    pub async fn update(self, actor: &Actor, id: ViewId, query: PeopleQuery, look: &ListLook) -> Result<()> {
        let query = look.after(&PeopleQuery { after: None, ..query }.to_query());
        self.change(actor, id, Entity::update_many().col_expr(Column::Query, query.into())).await
    }

    /// Lets colleagues find a view, or no longer.
    pub async fn share(self, actor: &Actor, id: ViewId, shared: bool) -> Result<()> {
        self.change(actor, id, Entity::update_many().col_expr(Column::Shared, shared.into())).await
    }

    async fn change(self, actor: &Actor, id: ViewId, change: UpdateMany<Entity>) -> Result<()> {
        let changed = change.filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(actor.person_id));
        let changed = self.0.db().write_query(&changed.into_query()).await?;
        self.found(actor, id, changed).await
    }

    /// Forgets a view.
    pub async fn forget(self, actor: &Actor, id: ViewId) -> Result<()> {
        let gone = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::OwnerId.eq(actor.person_id));
        let gone = self.0.db().write_query(&gone.into_query()).await?;
        self.found(actor, id, gone).await
    }

    async fn found(self, actor: &Actor, id: ViewId, rows: u64) -> Result<()> {
        match rows {
            0 => {
                Err(private_to_account::not_ones_own(self.0, actor, Owned::View(id), Problem::not_found("view")).await)
            }
            _ => Ok(()),
        }
    }
}

fn saved(view: Model) -> SavedView {
    SavedView { id: view.id, name: view.name, query: view.query, shared: view.shared, owner_name: None }
}

fn taken(name: &str) -> Problem {
    wrong("taken", format!("You already have a view called “{name}”. Choose another name."))
}

fn wrong(code: &str, message: String) -> Problem {
    Problem::fields(vec![FieldError::new("name", code, message)])
}

/// A name as it is kept.
fn checked(name: &str) -> Result<String, Problem> {
    let name = within::<{ 16 * LONGEST }>(name).map_err(|too_long| too_long.of("name"))?;
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(wrong("required", "Give the view a name.".to_owned()));
    }
    if name.chars().count() > LONGEST {
        return Err(wrong("too_long", format!("Use at most {LONGEST} characters.")));
    }
    if !model::enum_words::is_name(&name, LONGEST) {
        return Err(wrong("invalid", "Remove the characters that cannot be seen.".to_owned()));
    }
    Ok(name)
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
