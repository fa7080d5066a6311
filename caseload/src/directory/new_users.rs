//! A user whom the directory adds: whose account it gets, or a new one.

use model::{AccountId, account::LinkBy};
use sea_orm::{ConnectionTrait, EntityTrait, PaginatorTrait};
use serde_json::json;

use super::{
    caller::DirectoryCaller,
    person::DirectoryPerson,
    refusals,
    rule::DirectoryRule,
    standing::settle,
    user_rows::{self, DirectoryUser},
};
use crate::{
    Error, NewAccount, NewPassword, Result,
    accounts::{
        account::{account_key, by_username, record},
        staff_accounts::{self, Ready},
    },
    caseload::Directory,
    entity::{accounts::account, directory::user::Entity},
    provided::{self, join::is_last_resort},
};

impl Directory<'_> {
    /// Adds a user. Whoever was deleted before is there again; whom an administrator has made an account for gets that one, if the settings
    /// link them; for anybody else one is made, without a password.
    pub async fn add_user(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        person: DirectoryPerson,
    ) -> Result<DirectoryUser> {
        let person = person.checked()?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let (id, is_new) = match self.there(&txn, rule, &person).await? {
            Some(id) => (id, false),
            None => (self.make(&txn, caller, rule, &person).await?, true),
        };
        if is_last_resort(&txn, self.0.passwords(), id).await? {
            return Err(refusals::last_resort().into());
        }
        match user_rows::locked(&txn, id).await? {
            Some(row) if row.gone => {
                let names = (row.user_name.as_str(), person.user_name.as_str());
                staff_accounts::rename(db, &txn, id, names).await?.map_err(refusals::not_made)?;
                user_rows::update(db, &txn, id, &person).await?;
                record(db, &txn, caller.by(), "directory.change", id, json!({ "again": true })).await?;
            }
            Some(_) => return Err(refusals::taken(&person.user_name).into()),
            None => {
                let most = rule.bounds.users;
                if Entity::find().count(&txn).await? >= u64::from(most) {
                    return Err(refusals::too_many("users", most, "scim.users").into());
                }
                user_rows::insert(db, &txn, id, &person).await?;
                if !is_new {
                    record(db, &txn, caller.by(), "directory.join", id, json!({})).await?;
                }
            }
        }
        staff_accounts::call(db, &txn, id, &person.name()).await?;
        settle(db, &txn, (rule, self.0.passwords()), caller, id).await?;
        let row = Entity::find_by_id(id).one(&txn).await?;
        let user = user_rows::with_groups(&txn, row.into_iter().collect()).await?.pop();
        db.commit(txn).await?;
        self.0.inner.names.forget(id);
        Ok(user.ok_or_else(refusals::no_user)?)
    }

    /// The account that is theirs already, or becomes it.
    async fn there(
        self,
        txn: &impl ConnectionTrait,
        rule: &DirectoryRule,
        person: &DirectoryPerson,
    ) -> Result<Option<AccountId>> {
        if let Some(id) = user_rows::gone(txn, person.external_id.as_deref()).await? {
            return Ok(Some(id));
        }
        if let Some(account) = by_username(txn, &person.user_name).await? {
            let was_theirs = Entity::find_by_id(account.person_id).one(txn).await?.is_some();
            // Two names that only a search takes for the same are those of two people.
            let is_same = account.username == person.name_key() || was_theirs;
            return match is_same && (was_theirs || rule.link_by == LinkBy::Username) {
                true => Ok(Some(account.person_id)),
                false => Err(refusals::taken(&person.user_name).into()),
            };
        }
        match (rule.link_by, &person.email) {
            (LinkBy::Email, Some(address)) => provided::join::of_address(self.0.db(), txn, address).await,
            _ => Ok(None),
        }
    }

    /// A new account, whose owner has no password.
    async fn make(
        self,
        txn: &impl ConnectionTrait,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        person: &DirectoryPerson,
    ) -> Result<AccountId> {
        if self.0.passwords().is_last_resort(&account_key(&person.user_name)) {
            return Err(refusals::last_resort().into());
        }
        // The first account is an administrator's, who comes in by a link that this would end.
        if account::Entity::find().count(txn).await? == 0 {
            return Err(refusals::not_set_up().into());
        }
        let (first, last) = person.name();
        let new = NewAccount {
            username: person.user_name.clone(),
            role: rule.new_role,
            name: Some(format!("{first} {last}").trim().to_owned()),
            school_id: None,
            password: NewPassword::Nothing,
        };
        let made = match Ready::of(new).await {
            Ok(ready) => ready.insert(self.0.db(), txn, caller.by(), None).await,
            Err(error) => Err(error),
        };
        made.map_err(|error| match error {
            Error::Refused(problem) => refusals::not_made(*problem).into(),
            error => error,
        })
    }
}
