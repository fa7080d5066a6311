//! What opens an account, and what ends with what. A password is written, and a way in ended, nowhere else: whoever changes one
//! cannot forget the others.

use model::{AccessTokenId, AccountId};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};

use crate::accounts::passwords::HashedPassword;

/// Which of the ways into an account end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
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
pub async fn end(db: &Database, txn: &impl ConnectionTrait, person_id: AccountId, ways: Ways) -> Result<Ended, DbErr> {
    let sql = "UPDATE account SET session_version = session_version + 1, modified_date = {now} WHERE person_id = $1
               RETURNING session_version";
    let row = txn.query_one_raw(db.statement(sql, [person_id.into()])).await?;
    let session_version =
        row.ok_or_else(|| DbErr::RecordNotFound("account".to_owned()))?.try_get("", "session_version")?;
    let tokens = match ways {
        Ways::Sessions => 0,
        Ways::SessionsAndTokens => {
            let sql = "UPDATE access_token SET revoked_date = {now} WHERE person_id = $1 AND revoked_date IS NULL";
            txn.execute_raw(db.statement(sql, [person_id.into()])).await?.rows_affected()
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
    let sql = "UPDATE account SET password_hash = $2, password_state = $3 WHERE person_id = $1";
    let values = [person_id.into(), password.hash.into(), password.state.name().into()];
    txn.execute_raw(db.statement(sql, values)).await?;
    end(db, txn, person_id, Ways::SessionsAndTokens).await
}

/// Revokes a token of an account; false: it has none of this id that is good.
pub async fn revoke(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    token: AccessTokenId,
) -> Result<bool, DbErr> {
    let sql = "UPDATE access_token SET revoked_date = {now} WHERE id = $1 AND person_id = $2 AND revoked_date IS NULL";
    Ok(txn.execute_raw(db.statement(sql, [token.into(), owner.into()])).await?.rows_affected() > 0)
}

/// Disables an account, or lets it in again. Either way whatever was open ends.
pub async fn set_disabled(
    db: &Database,
    txn: &impl ConnectionTrait,
    person_id: AccountId,
    disabled: bool,
) -> Result<Ended, DbErr> {
    let sql = "UPDATE account SET disabled = $2 WHERE person_id = $1";
    txn.execute_raw(db.statement(sql, [person_id.into(), disabled.into()])).await?;
    end(db, txn, person_id, Ways::SessionsAndTokens).await
}
