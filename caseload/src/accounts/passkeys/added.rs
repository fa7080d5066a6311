//! A new passkey of somebody who is signed in. As with an app, all other sessions end with it, and the first second factor of an account comes
//! with recovery codes.

use model::{Problem, enum_words::is_name};
use serde_json::json;

use super::{
    answers, kept,
    open_questions::{self, PasskeyAnswer, PasskeyPurpose},
    refusals,
};
use crate::{
    Reauthenticated, Result,
    accounts::{
        account::{record, still_here},
        credentials::{self, RevokeScope},
        second_factor::{recovery::FreshCodes, standing},
    },
    audit::entry::By,
    caseload::Passkeys,
    limits::Limited,
    notices::{self, SecondFactorChange},
};

/// The longest name, in characters.
const LONGEST_NAME: usize = 60;

/// A passkey that counts from now on.
#[derive(Debug)]
pub struct PasskeyAdded {
    /// That of the session that goes on: all others have ended.
    pub session_version: i32,
    /// Recovery codes, to be shown this once; none where there was a second factor before.
    pub codes: Vec<String>,
}

impl Passkeys<'_> {
    /// Takes what the actor's device answered as a passkey of theirs, under a name that they know it by.
    pub async fn add(self, actor: &Reauthenticated, name: &str, given: PasskeyAnswer<'_>) -> Result<PasskeyAdded> {
        let (db, owner) = (self.0.db(), actor.person_id);
        let name = checked(name)?;
        let address = self.address()?;
        if !self.0.accounts().has_password(actor).await? {
            return Err(refusals::without_password().into());
        }
        let state = open_questions::take(db, given.secret, PasskeyPurpose::Add, Some(owner)).await?;
        let key = state.and_then(|state| answers::new_key(&address, &state, given.answer));
        let key = key.ok_or_else(refusals::not_added)?;
        let fresh = FreshCodes::make().await?;
        let txn = db.begin_write().await?;
        still_here(db, &txn, actor).await?;
        if kept::count(&txn, owner).await? >= u64::from(self.0.limits().passkeys) {
            return Err(self.0.limits().refusal(Limited::Passkeys, None).into());
        }
        let is_first = !standing::is_set_up(&txn, owner).await?;
        let id = kept::put_down(db, &txn, owner, name, key).await?.ok_or_else(refusals::not_added)?;
        if is_first {
            fresh.put_down(db, &txn, owner).await?;
        }
        let ended = credentials::end(db, &txn, owner, RevokeScope::Sessions).await?;
        record(db, &txn, By::Actor(actor), "account.passkey_add", owner, json!({ "passkey": id })).await?;
        let change = SecondFactorChange::PasskeyAdded;
        notices::of_second_factor_change(db, &txn, self.0.mail(), owner, change).await?;
        db.commit(txn).await?;
        let codes = if is_first { fresh.codes } else { Vec::new() };
        Ok(PasskeyAdded { session_version: ended.session_version, codes })
    }
}

fn checked(name: &str) -> Result<&str, Problem> {
    let name = name.trim();
    match name {
        "" => Err(Problem::field("name", "required", "Name the device that keeps it, such as “My phone”.")),
        _ if !is_name(name, LONGEST_NAME) => {
            let message = format!("Use at most {LONGEST_NAME} visible characters.");
            Err(Problem::field("name", "invalid", message))
        }
        _ => Ok(name),
    }
}
