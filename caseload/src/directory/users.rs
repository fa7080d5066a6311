//! Users of the directory: looked for, read, changed and deleted by it.

use model::{AccountId, Problem};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use serde_json::json;

use super::{
    caller::DirectoryCaller,
    filter::{FoundPart, Slice, UserTerm},
    person::{self, DirectoryPerson},
    refusals,
    rule::DirectoryRule,
    standing::settle,
    user_rows::{self, DirectoryUser, person_of},
};
use crate::{
    Result,
    accounts::{
        account::{account_key, record},
        staff_accounts,
    },
    caseload::Directory,
    entity::directory::user::{Column, Entity, Model},
    provided::join::is_last_resort,
};

impl Directory<'_> {
    /// The users that are all of this, in a steady order. Those of no directory are none.
    pub async fn users(
        self,
        _: &DirectoryCaller,
        terms: &[UserTerm],
        slice: Slice,
    ) -> Result<FoundPart<DirectoryUser>> {
        let reader = self.0.db().reader();
        let found = terms.iter().fold(Entity::find().filter(Column::Gone.eq(false)), narrowed);
        let total = found.clone().count(reader).await?;
        if slice.most == 0 || slice.skip >= total {
            return Ok(FoundPart { total, items: Vec::new() });
        }
        let rows = found.order_by_asc(Column::PersonId).offset(slice.skip).limit(slice.most).all(reader).await?;
        Ok(FoundPart { total, items: user_rows::with_groups(reader, rows).await? })
    }

    /// One user.
    pub async fn user(self, _: &DirectoryCaller, id: AccountId) -> Result<DirectoryUser> {
        let found = Entity::find_by_id(id).filter(Column::Gone.eq(false)).one(self.0.db().reader()).await?;
        read(self.0.db().reader(), found).await
    }

    /// Changes what is said of a user, from what it was; `known` is the version that the directory has read, if it says so.
    pub async fn change_user(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        (id, known): (AccountId, Option<i64>),
        change: impl FnOnce(DirectoryPerson) -> Result<DirectoryPerson, Problem> + Send,
    ) -> Result<DirectoryUser> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let row = self.unchanged(&txn, id, known).await?;
        let before = person_of(&row);
        let after = change(before.clone())?.checked()?;
        let changed = after.differs_in(&before);
        if !changed.is_empty() {
            if after.name_key() != before.name_key() {
                if self.0.passwords().is_last_resort(&account_key(&after.user_name)) {
                    return Err(refusals::last_resort().into());
                }
                staff_accounts::rename(db, &txn, id, (&before.user_name, &after.user_name))
                    .await?
                    .map_err(refusals::not_made)?;
            }
            user_rows::update(db, &txn, id, &after).await?;
            if after.name() != before.name() {
                staff_accounts::call(db, &txn, id, &after.name()).await?;
            }
            record(db, &txn, caller.by(), "directory.change", id, json!({ "fields": changed })).await?;
            settle(db, &txn, (rule, self.0.passwords()), caller, id).await?;
        }
        let found = Entity::find_by_id(id).one(&txn).await?;
        let user = read(&txn, found).await?;
        db.commit(txn).await?;
        self.0.inner.names.forget(id);
        Ok(user)
    }

    /// Deletes a user. Their account is disabled and stays, with all that its owner did.
    pub async fn remove_user(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        (id, known): (AccountId, Option<i64>),
    ) -> Result<()> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        self.unchanged(&txn, id, known).await?;
        user_rows::remove(db, &txn, id).await?;
        record(db, &txn, caller.by(), "directory.remove", id, json!({})).await?;
        settle(db, &txn, (rule, self.0.passwords()), caller, id).await?;
        Ok(db.commit(txn).await?)
    }

    /// A user who stands as the directory knows them, locked.
    async fn unchanged(self, txn: &impl ConnectionTrait, id: AccountId, known: Option<i64>) -> Result<Model> {
        let row = user_rows::locked(txn, id).await?.filter(|row| !row.gone).ok_or_else(refusals::no_user)?;
        if known.is_some_and(|known| known != row.version) {
            return Err(refusals::changed_since().into());
        }
        if is_last_resort(txn, self.0.passwords(), id).await? {
            return Err(refusals::last_resort().into());
        }
        Ok(row)
    }
}

async fn read(connection: &impl ConnectionTrait, found: Option<Model>) -> Result<DirectoryUser> {
    let user = user_rows::with_groups(connection, found.into_iter().collect()).await?.pop();
    Ok(user.ok_or_else(refusals::no_user)?)
}

fn narrowed(found: Select<Entity>, term: &UserTerm) -> Select<Entity> {
    match term {
        UserTerm::Id(id) => found.filter(Column::PersonId.eq(*id)),
        UserTerm::UserName(name) => found.filter(Column::NameKey.eq(person::name_key(name))),
        UserTerm::ExternalId(id) => found.filter(Column::ExternalId.eq(id.as_str())),
        UserTerm::DisplayName(name) => found.filter(Column::DisplayName.eq(name.as_str())),
        UserTerm::Nobody => found.filter(Column::Gone.eq(true)),
    }
}
