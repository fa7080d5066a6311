//! Taking a second factor away, whoever does it. What was open with it ends.

use model::AccountId;
use queue::Database;
use sea_orm::{ConnectionTrait, EntityTrait, QueryTrait};

use super::recovery;
use crate::{
    Result,
    accounts::{
        account,
        credentials::{self, Ended, RevokeScope},
    },
    entity::accounts::authenticator_app,
};

/// Takes it from an account, with its recovery codes, and ends its sessions; nothing where there is none.
pub(crate) async fn removed(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<Option<Ended>> {
    account::locked(db, txn, owner).await?;
    let gone = authenticator_app::Entity::delete_by_id(owner);
    if txn.execute_raw(db.build(&gone.into_query())).await?.rows_affected() == 0 {
        return Ok(None);
    }
    recovery::forget(db, txn, owner).await?;
    Ok(Some(credentials::end(db, txn, owner, RevokeScope::Sessions).await?))
}
