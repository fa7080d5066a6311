//! Taking a second factor away, whoever does it. What was open with it ends.

use model::AccountId;
use queue::Database;
use sea_orm::ConnectionTrait;

use super::{app, recovery};
use crate::{
    Result,
    accounts::{
        account,
        credentials::{self, Ended, RevokeScope},
        passkeys::kept,
    },
};

/// Takes the app and the passkeys from an account, with its recovery codes, and ends its sessions; nothing where there is none.
pub(crate) async fn removed(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<Option<Ended>> {
    account::locked(db, txn, owner).await?;
    let had_app = app::forget(db, txn, owner).await?;
    if kept::forget(db, txn, owner).await? == 0 && !had_app {
        return Ok(None);
    }
    recovery::forget(db, txn, owner).await?;
    Ok(Some(credentials::end(db, txn, owner, RevokeScope::Sessions).await?))
}
