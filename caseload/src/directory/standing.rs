//! What follows for an account from what the directory says: whether its owner may come in, and their role. One that an administrator, a
//! provider or a command has disabled stays so, whatever the directory says.

use model::{AccountId, Permission, Role};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait};
use serde_json::json;

use super::{caller::DirectoryCaller, rule::DirectoryRule, user_rows};
use crate::{
    Result,
    accounts::{account::record, credentials, passwords::rule::PasswordRule},
    entity::{
        accounts::account,
        directory::user::{Column, Entity},
    },
    provided::ProvidedRole,
};

/// Whether it is the account that stays open whatever a directory says.
pub(super) async fn is_last_resort(
    connection: &impl ConnectionTrait,
    passwords: &PasswordRule,
    id: AccountId,
) -> Result<bool, DbErr> {
    let found = account::Entity::find_by_id(id).one(connection).await?;
    Ok(found.is_some_and(|account| passwords.is_last_resort(&account.username)))
}

/// Has an account be what the directory says of its owner and their groups.
pub(super) async fn settle(
    db: &Database,
    txn: &impl ConnectionTrait,
    (rule, passwords): (&DirectoryRule, &PasswordRule),
    caller: &DirectoryCaller,
    id: AccountId,
) -> Result<()> {
    // Two who change what is said of one person decide one after the other.
    let Some(user) = user_rows::locked(txn, id).await? else { return Ok(()) };
    let Some(account) = account::Entity::find_by_id(id).one(txn).await? else { return Ok(()) };
    if passwords.is_last_resort(&account.username) {
        return Ok(());
    }
    let role = rule.role_of(&user_rows::group_names(txn, id).await?);
    let is_out = user.gone || !user.active || role == ProvidedRole::Missing;
    if is_out != account.disabled && (is_out || user.shut) {
        set_shut(db, txn, caller, id, is_out).await?;
    }
    match role {
        ProvidedRole::Given(role) if account.role != role => change(db, txn, caller, &account, role).await,
        ProvidedRole::Given(_) | ProvidedRole::GivenHere | ProvidedRole::Missing => Ok(()),
    }
}

/// Shuts an account, with all that is open, or opens it again.
async fn set_shut(
    db: &Database,
    txn: &impl ConnectionTrait,
    caller: &DirectoryCaller,
    id: AccountId,
    shut: bool,
) -> Result<()> {
    credentials::set_disabled(db, txn, id, shut).await?;
    let noted = Entity::update_many().col_expr(Column::Shut, shut.into()).filter(Column::PersonId.eq(id));
    txn.execute_raw(db.build(&noted.into_query())).await?;
    let action = if shut { "account.disable" } else { "account.enable" };
    let detail = json!({ "before": { "disabled": !shut }, "after": { "disabled": shut } });
    Ok(record(db, txn, caller.by(), action, id, detail).await?)
}

/// Gives an account another role, with what that may do.
async fn change(
    db: &Database,
    txn: &impl ConnectionTrait,
    caller: &DirectoryCaller,
    account: &account::Model,
    role: Role,
) -> Result<()> {
    let permissions = Permission::default_for(role);
    let before = json!({ "role": account.role, "permissions": account.permissions() });
    let after = json!({ "role": role, "permissions": permissions });
    credentials::set_role(db, txn, account.person_id, role, &permissions).await?;
    let detail = json!({ "before": before, "after": after });
    Ok(record(db, txn, caller.by(), "account.change", account.person_id, detail).await?)
}
