//! What opens an account, and what ends with what. A password is written, and a way in ended, nowhere else: whoever changes one
//! cannot forget the others.

use model::{AccessTokenId, AccountId, Permission, Role};
use queue::{Database, stopped_owners};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, UpdateMany,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use crate::{
    accounts::passwords::HashedPassword,
    entity::{
        accounts::{access_token, account, account_identity, password_link, remembered_browser},
        directory::user as directory_user,
    },
};

/// Which of the ways into an account end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokeScope {
    Sessions,
    SessionsAndTokens,
}

/// What has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// That of sessions which begin from now on.
    pub session_version: i32,
    /// Access tokens that were good until now.
    pub tokens: u64,
}

/// Ends what is open.
pub async fn end(
    db: &Database,
    txn: &impl ConnectionTrait,
    person_id: AccountId,
    ways: RevokeScope,
) -> Result<Ended, DbErr> {
    let mut ended = change_of(person_id)
        .col_expr(account::Column::SessionVersion, Expr::col(account::Column::SessionVersion).add(1))
        .col_expr(account::Column::ModifiedDate, db.instant())
        .into_query();
    let row = txn.query_one_raw(db.build(ended.returning_col(account::Column::SessionVersion))).await?;
    let session_version =
        row.ok_or_else(|| DbErr::RecordNotFound("account".to_owned()))?.try_get("", "session_version")?;
    // Where no code was asked one is.
    let remembered =
        remembered_browser::Entity::delete_many().filter(remembered_browser::Column::PersonId.eq(person_id));
    txn.execute_raw(db.build(&remembered.into_query())).await?;
    // Whoever was sent one before can ask again.
    txn.execute_raw(db.build(&password_link::Entity::delete_by_id(person_id).into_query())).await?;
    let tokens = match ways {
        RevokeScope::Sessions => 0,
        RevokeScope::SessionsAndTokens => {
            txn.execute_raw(db.build(&revocation(db, person_id).into_query())).await?.rows_affected()
        }
    };
    Ok(Ended { session_version, tokens })
}

/// Gives an account another password. Whoever had the old one has no way in any more.
pub async fn set_password(
    db: &Database,
    txn: &impl ConnectionTrait,
    person_id: AccountId,
    password: HashedPassword,
) -> Result<Ended, DbErr> {
    let changed = change_of(person_id)
        .col_expr(account::Column::PasswordHash, password.hash.into())
        .col_expr(account::Column::PasswordState, password.state.name().into());
    txn.execute_raw(db.build(&changed.into_query())).await?;
    end(db, txn, person_id, RevokeScope::SessionsAndTokens).await
}

/// Revokes a token of an account; false: it has none of this id that is good.
pub async fn revoke(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    token: AccessTokenId,
) -> Result<bool, DbErr> {
    let revoked = revocation(db, owner).filter(access_token::Column::Id.eq(token));
    Ok(txn.execute_raw(db.build(&revoked.into_query())).await?.rows_affected() > 0)
}

/// Revokes the tokens of an account that are good.
fn revocation(db: &Database, owner: AccountId) -> UpdateMany<access_token::Entity> {
    access_token::Entity::update_many()
        .col_expr(access_token::Column::RevokedDate, db.instant())
        .filter(access_token::Column::PersonId.eq(owner))
        .filter(access_token::Column::RevokedDate.is_null())
}

/// Disables an account, or lets it in again. Either way whatever was open ends. What waits of a disabled one stands still.
pub async fn set_disabled(
    db: &Database,
    txn: &impl ConnectionTrait,
    person_id: AccountId,
    disabled: bool,
) -> Result<Ended, DbErr> {
    // Whoever decides this decides it whatever the directory or a provider said before; one that has it done says so afterwards. The
    // directory's row comes first, as wherever both are locked.
    let decided = directory_user::Entity::update_many()
        .col_expr(directory_user::Column::Shut, false.into())
        .filter(directory_user::Column::PersonId.eq(person_id));
    txn.execute_raw(db.build(&decided.into_query())).await?;
    let changed = change_of(person_id).col_expr(account::Column::Disabled, disabled.into());
    txn.execute_raw(db.build(&changed.into_query())).await?;
    let decided = account_identity::Entity::update_many()
        .col_expr(account_identity::Column::RoleGone, false.into())
        .filter(account_identity::Column::PersonId.eq(person_id));
    txn.execute_raw(db.build(&decided.into_query())).await?;
    match disabled {
        true => stopped_owners::stop(db, txn, person_id).await?,
        false => stopped_owners::resume(db, txn, person_id).await?,
    }
    end(db, txn, person_id, RevokeScope::SessionsAndTokens).await
}

/// Gives an account another role, with what it may do. It holds from its next request on.
pub async fn set_role(
    db: &Database,
    txn: &impl ConnectionTrait,
    person_id: AccountId,
    role: Role,
    permissions: &[Permission],
) -> Result<(), DbErr> {
    let changed = change_of(person_id)
        .col_expr(account::Column::Role, role.name().into())
        .col_expr(account::Column::Permissions, json!(permissions).to_string().into())
        .col_expr(account::Column::ModifiedDate, db.instant());
    txn.execute_raw(db.build(&changed.into_query())).await.map(drop)
}

/// A change of the row of an account.
fn change_of(person_id: AccountId) -> UpdateMany<account::Entity> {
    account::Entity::update_many().filter(account::Column::PersonId.eq(person_id))
}
