//! A passkey that its owner takes away. The last second factor of an account takes the recovery codes with it.

use model::{PasskeyId, Problem};
use serde_json::json;

use super::kept;
use crate::{
    Reauthenticated, Result,
    accounts::{
        account::{record, still_here},
        credentials::{self, RevokeScope},
        second_factor::{recovery, standing},
    },
    audit::entry::By,
    caseload::Passkeys,
    notices::{self, SecondFactorChange},
};

impl Passkeys<'_> {
    /// Removes one of the actor's; the new session version is for the session that goes on.
    pub async fn remove(self, actor: &Reauthenticated, id: PasskeyId) -> Result<i32> {
        let (db, owner) = (self.0.db(), actor.person_id);
        let txn = db.begin_write().await?;
        still_here(db, &txn, actor).await?;
        if !kept::drop_one(db, &txn, owner, id).await? {
            return Err(Problem::not_found("passkey").into());
        }
        if !standing::is_set_up(&txn, owner).await? {
            if self.0.factors().needs_second_factor(actor) {
                let detail = "Your role needs a second factor. Add another passkey or an authenticator app first.";
                return Err(actor.forbidden(detail));
            }
            recovery::forget(db, &txn, owner).await?;
        }
        let ended = credentials::end(db, &txn, owner, RevokeScope::Sessions).await?;
        record(db, &txn, By::Actor(actor), "account.passkey_remove", owner, json!({ "passkey": id })).await?;
        let change = SecondFactorChange::PasskeyRemoved;
        notices::of_second_factor_change(db, &txn, self.0.mail(), owner, change).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
    }
}
