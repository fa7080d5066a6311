//! A passkey after the password: whether its answer is right, and what it is used up by.

use model::Problem;
use queue::Transaction;

use super::{
    answers::{AnswerBeside, KeyVerdict},
    kept,
    open_questions::{self, PasskeyAnswer, PasskeyPurpose},
    refusals::refused,
    suspicion,
};
use crate::{Caseload, Result, accounts::second_factor::HalfSignIn, entity::accounts::passkeys::passkey};

/// A passkey whose answer is right, and not used yet.
pub(in crate::accounts) struct RightPasskey {
    key: passkey::Model,
    device_state: String,
}

impl RightPasskey {
    /// The one of somebody who has typed their password, or why it is not taken. Their question is closed by it.
    pub async fn of(
        caseload: &Caseload,
        half: &HalfSignIn,
        given: PasskeyAnswer<'_>,
    ) -> Result<Result<RightPasskey, Problem>> {
        let (db, owner) = (caseload.db(), half.person_id);
        let address = caseload.passkeys().address()?;
        let state = open_questions::take(db, given.secret, PasskeyPurpose::BesidePassword, Some(owner)).await?;
        let (Some(state), Some(answer)) = (state, AnswerBeside::read(given.answer)) else { return Ok(Err(refused())) };
        let key = kept::by_credential(db.reader(), &answer.credential_id()).await?;
        let Some(key) = key.filter(|key| key.person_id == owner) else { return Ok(Err(refused())) };
        match answer.judge(&address, &state, &key) {
            KeyVerdict::Right { device_state } => Ok(Ok(RightPasskey { key, device_state })),
            KeyVerdict::Copied => {
                suspicion::noted(caseload, &key).await?;
                Ok(Err(refused()))
            }
            KeyVerdict::Wrong => Ok(Err(refused())),
        }
    }

    /// Notes that somebody comes in with it; false: somebody did meanwhile, or it is gone.
    pub async fn use_up(&self, caseload: &Caseload, txn: &Transaction) -> Result<bool> {
        Ok(kept::used(caseload.db(), txn, &self.key, &self.device_state).await?)
    }
}

/// Why one that was used meanwhile is not taken.
pub(in crate::accounts) fn used_meanwhile() -> Problem {
    refused()
}
