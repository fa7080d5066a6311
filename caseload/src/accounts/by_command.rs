//! What commands on the machine do to accounts. Whoever runs them has the machine, so nobody is asked who they are; the audit
//! says that it was a command.

use model::{AccountId, Problem};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};
use serde_json::json;

use crate::{
    Result,
    accounts::{
        account::{by_username, no_account, record},
        credentials::{self, RevokeScope},
        passwords::NewPassword,
        second_factor,
        staff_accounts::{NewAccount, Ready},
        tokens::{issued, new::NewToken},
    },
    audit::entry::By,
    caseload::ByCommand,
    entity::{accounts::account_identity, person_name},
    notices::{self, PasswordChange, SecondFactorChange},
};

impl ByCommand<'_> {
    /// Makes an account, and its person if nobody has that school id yet.
    pub async fn add(self, new: NewAccount) -> Result<AccountId> {
        let ready = Ready::of(new).await?;
        let txn = self.0.db().begin_write().await?;
        let person_id = ready.insert(self.0.db(), &txn, By::Command, None).await?;
        self.0.db().commit(txn).await?;
        Ok(person_id)
    }

    /// Sets a password, by command, and ends every session and token of the account.
    pub async fn set_password(self, username: &str, password: NewPassword) -> Result<()> {
        let db = self.0.db();
        let account = by_username(db.reader(), username).await?.ok_or_else(|| no_account(username))?;
        let name = person_name(db.reader(), account.person_id.person()).await?.unwrap_or_default();
        let password = password.hashed(&account.username, &name).await?;
        let txn = db.begin_write().await?;
        let ended = credentials::set_password(db, &txn, account.person_id, password).await?;
        let detail = json!({ "tokens": ended.tokens });
        record(db, &txn, By::Command, "account.password", account.person_id, detail).await?;
        notices::of_password_change(db, &txn, self.0.mail(), account.person_id, PasswordChange::ByCommand).await?;
        Ok(db.commit(txn).await?)
    }

    /// Disables an account, by command: its sessions and tokens end now, and its tasks at their next chunk.
    pub async fn disable(self, username: &str) -> Result<()> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let account = by_username(&txn, username).await?.ok_or_else(|| no_account(username))?;
        let ended = credentials::set_disabled(db, &txn, account.person_id, true).await?;
        record(db, &txn, By::Command, "account.disable", account.person_id, json!({ "tokens": ended.tokens })).await?;
        Ok(db.commit(txn).await?)
    }

    /// Takes an account from whoever comes into it by a provider, by command, and ends its sessions. How many that were.
    pub async fn unlink(self, username: &str) -> Result<u64> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let account = by_username(&txn, username).await?.ok_or_else(|| no_account(username))?;
        let gone =
            account_identity::Entity::delete_many().filter(account_identity::Column::PersonId.eq(account.person_id));
        let gone = txn.execute_raw(db.build(&gone.into_query())).await?.rows_affected();
        if gone > 0 {
            credentials::end(db, &txn, account.person_id, RevokeScope::Sessions).await?;
            record(db, &txn, By::Command, "account.unlink", account.person_id, json!({})).await?;
        }
        db.commit(txn).await?;
        Ok(gone)
    }

    /// Takes the second factor from an account whose owner has lost it, by command, and ends its sessions; false: it has none.
    pub async fn reset_second_factor(self, username: &str) -> Result<bool> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let owner = by_username(&txn, username).await?.ok_or_else(|| no_account(username))?.person_id;
        let was_there = second_factor::removed(db, &txn, owner).await?.is_some();
        if was_there {
            record(db, &txn, By::Command, "account.factor_reset", owner, json!({})).await?;
            let change = SecondFactorChange::ResetByCommand;
            notices::of_second_factor_change(db, &txn, self.0.mail(), owner, change).await?;
        }
        db.commit(txn).await?;
        Ok(was_there)
    }

    /// Issues a token for an account, by command. It is shown once: only its hash is kept.
    pub async fn issue_for(self, username: &str, new: NewToken) -> Result<String> {
        let account = by_username(self.0.db().reader(), username).await?.ok_or_else(|| no_account(username))?;
        if account.disabled {
            return Err(Problem::field("username", "disabled", format!("The account “{username}” is disabled.")).into());
        }
        issued::issue(self.0, account.person_id, By::Command, new.checked()?, None).await
    }
}
