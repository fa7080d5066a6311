//! What follows for an account from what the directory says: whether its owner may come in, and their role. One that an administrator, a
//! provider or a command has disabled stays so, whatever the directory says.

use model::AccountId;
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};

use super::{caller::DirectoryCaller, rule::DirectoryRule, user_rows};
use crate::{
    Result,
    accounts::{credentials, passwords::rule::PasswordRule},
    entity::{
        accounts::account,
        directory::user::{Column, Entity},
    },
    provided::{ProvidedRole, said},
};

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
        ProvidedRole::Given(role) if account.role != role => {
            Ok(said::give_role(db, txn, caller.by(), &account, role, None).await?)
        }
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
    Ok(said::record_shut(db, txn, caller.by(), id, shut, None).await?)
}
