//! Accounts as they are found by name, and what is written down of them.

use std::collections::BTreeSet;

use model::{AccountId, Problem};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};

use crate::{
    Actor, Result,
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::accounts::account,
    people::fold::fold,
};

/// What two ways of writing a username have in common when they mean the same account.
pub fn account_key(username: &str) -> String {
    fold(username)
}

/// The account of that name, however it is written.
pub async fn by_username(connection: &impl ConnectionTrait, username: &str) -> Result<Option<account::Model>> {
    Ok(account::Entity::find().filter(account::Column::Username.eq(account_key(username))).one(connection).await?)
}

/// Locks the row of an account, before anything of its second factor is looked at or changed: who comes in, and who changes what lets them
/// in, do so one after another. The version of its sessions, which stays as it is until the transaction ends; nothing where it is gone.
pub async fn locked(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<Option<i32>, DbErr> {
    let sql = "SELECT session_version FROM account WHERE person_id = $1 {for update}";
    let row = txn.query_one_raw(db.statement(sql, [owner.into()])).await?;
    row.map(|row| row.try_get("", "session_version")).transpose()
}

/// Locks these accounts, in one order for all who lock several.
pub async fn lock_all(
    db: &Database,
    txn: &impl ConnectionTrait,
    accounts: impl IntoIterator<Item = AccountId>,
) -> Result<(), DbErr> {
    for account in accounts.into_iter().collect::<BTreeSet<_>>() {
        locked(db, txn, account).await?;
    }
    Ok(())
}

/// Refuses a session that has ended meanwhile: of two that are asked for the same at once, the second one is over with the first.
pub(super) async fn still_here(db: &Database, txn: &impl ConnectionTrait, actor: &Actor) -> Result<()> {
    match locked(db, txn, actor.person_id).await? == Some(actor.session_version) {
        true => Ok(()),
        false => Err(Problem::signed_out().into()),
    }
}

/// The username and the name of everybody with an account, by name.
pub async fn names(db: &Database) -> Result<Vec<(String, String)>> {
    let sql = "SELECT a.username, p.first_name, p.last_name FROM account a JOIN person p ON p.id = a.person_id
         ORDER BY p.sort_key";
    let rows = db.reader().query_all_raw(db.statement(sql, [])).await?;
    let read = |row: &sea_orm::QueryResult| -> Result<(String, String), DbErr> {
        let (first, last): (Option<String>, Option<String>) =
            (row.try_get("", "first_name")?, row.try_get("", "last_name")?);
        let name = format!("{} {}", first.unwrap_or_default(), last.unwrap_or_default()).trim().to_owned();
        let username: String = row.try_get("", "username")?;
        Ok((username.clone(), if name.is_empty() { username } else { name }))
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

pub fn no_account(username: &str) -> Problem {
    Problem::field("username", "unknown", format!("There is no account “{username}”."))
}

pub async fn record(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: By<'_>,
    action: &str,
    person_id: AccountId,
    detail: serde_json::Value,
) -> Result<(), DbErr> {
    let object_id = Some(person_id.to_string());
    entry::record(db, txn, Entry { by, action, object_kind: "account", object_id, detail }).await
}

impl Accounts<'_> {
    /// Whether anybody can sign in at all.
    pub async fn are_there(self) -> Result<bool> {
        Ok(account::Entity::find().count(self.0.db().reader()).await? > 0)
    }
}
