//! The second factor of somebody who has lost theirs, as administrators see it and take it away.

use model::{AccountId, Code, Conflict, Problem, account::SecondFactor};
use serde_json::json;

use crate::{
    Actor, Reauthenticated, Result,
    accounts::{account::record, second_factor},
    admin::guard::{administering, reasoned},
    audit::entry::By,
    caseload::Users,
    notices::{self, SecondFactorChange},
};

impl Users<'_> {
    /// The second factor of an account.
    pub async fn second_factor(self, actor: &Actor, id: AccountId) -> Result<Option<SecondFactor>> {
        administering(actor)?;
        Ok(second_factor::of(self.0.db().reader(), id).await?)
    }

    /// Takes it away, and ends the account's sessions. Whoever must have one sets another one up at the next sign-in.
    pub async fn reset_second_factor(self, actor: &Reauthenticated, id: AccountId, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        if id == actor.person_id {
            let detail = "You replace or remove your own second factor in “Settings”.";
            return Err(Problem::conflict(Conflict::YOURSELF, detail).into());
        }
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        second_factor::removed(db, &txn, id).await?.ok_or_else(nothing_there)?;
        record(db, &txn, By::Actor(actor), "account.factor_reset", id, json!({ "reason": reason })).await?;
        let change = SecondFactorChange::ResetByAdministrator;
        notices::of_second_factor_change(db, &txn, self.0.mail(), id, change).await?;
        Ok(db.commit(txn).await?)
    }
}

fn nothing_there() -> Problem {
    let detail = "This account has no second factor.";
    Problem::new(409, Code::NO_SECOND_FACTOR, "There is nothing to reset", detail)
}
