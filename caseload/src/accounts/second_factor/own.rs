//! One's own second factor: set up, replaced, removed, and its recovery codes. An app counts once a code of it was right, so that nobody
//! shuts themselves out with a key that is in no app.

use model::{Code, Problem};
use queue::{Database, Transaction};
use serde_json::json;

use super::{
    app,
    app_key::{AppKey, CodeVerdict},
    kept_key,
    recovery::FreshCodes,
    removal, standing,
    typed::TypedCode,
};
use crate::{
    Actor, Reauthenticated, Result,
    accounts::{
        account::{self, record},
        credentials::{self, RevokeScope},
    },
    audit::entry::By,
    caseload::Factors,
    notices::{self, SecondFactorChange},
};

/// An app that counts from now on.
#[derive(Debug)]
pub struct AppConfirmed {
    /// That of the session that goes on: all others have ended.
    pub session_version: i32,
    /// Recovery codes, to be shown this once; none where the former ones still count.
    pub codes: Vec<String>,
}

impl Factors<'_> {
    /// Takes the app that has this key as the actor's, whose code shows that it has, in place of a former one.
    pub async fn confirm_app(self, actor: &Reauthenticated, key: &AppKey, code: &str) -> Result<AppConfirmed> {
        let (db, owner) = (self.0.db(), actor.person_id);
        let TypedCode::App(code) = TypedCode::read(code) else { return Err(not_six_digits().into()) };
        let CodeVerdict::Of(step) = key.judge(&code, db.now().await?, 0) else { return Err(not_shown_now().into()) };
        let sealed = kept_key::sealed(self.0, key)?;
        let fresh = FreshCodes::make().await?;
        let txn = db.begin_write().await?;
        still_here(db, &txn, actor).await?;
        let replaces = standing::is_set_up(&txn, owner).await?;
        app::put_down(db, &txn, owner, sealed, step).await?;
        if !replaces {
            fresh.put_down(db, &txn, owner).await?;
        }
        let ended = credentials::end(db, &txn, owner, RevokeScope::Sessions).await?;
        let (action, change) = match replaces {
            true => ("account.factor_replace", SecondFactorChange::Replaced),
            false => ("account.factor", SecondFactorChange::SetUp),
        };
        record(db, &txn, By::Actor(actor), action, owner, json!({})).await?;
        notices::of_second_factor_change(db, &txn, self.0.mail(), owner, change).await?;
        db.commit(txn).await?;
        let codes = if replaces { Vec::new() } else { fresh.codes };
        Ok(AppConfirmed { session_version: ended.session_version, codes })
    }

    /// New recovery codes for the actor, to be shown this once. Former ones are worth nothing any more.
    pub async fn new_recovery_codes(self, actor: &Reauthenticated) -> Result<Vec<String>> {
        let (db, owner) = (self.0.db(), actor.person_id);
        let fresh = FreshCodes::make().await?;
        let txn = db.begin_write().await?;
        still_here(db, &txn, actor).await?;
        if !standing::is_set_up(&txn, owner).await? {
            return Err(nothing_there().into());
        }
        fresh.put_down(db, &txn, owner).await?;
        record(db, &txn, By::Actor(actor), "account.recovery_codes", owner, json!({})).await?;
        notices::of_second_factor_change(db, &txn, self.0.mail(), owner, SecondFactorChange::NewCodes).await?;
        db.commit(txn).await?;
        Ok(fresh.codes)
    }

    /// Removes the actor's app with its recovery codes; the new session version is for the session that goes on.
    pub async fn remove_app(self, actor: &Reauthenticated) -> Result<i32> {
        if self.needs_second_factor(actor) {
            let detail = "Your role needs a second factor. You can replace the app by another one.";
            return Err(actor.forbidden(detail));
        }
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        still_here(db, &txn, actor).await?;
        let ended = removal::removed(db, &txn, actor.person_id).await?.ok_or_else(nothing_there)?;
        record(db, &txn, By::Actor(actor), "account.factor_remove", actor.person_id, json!({})).await?;
        let change = SecondFactorChange::Removed;
        notices::of_second_factor_change(db, &txn, self.0.mail(), actor.person_id, change).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
    }
}

/// Refuses a session that has ended meanwhile: of two that are asked for the same at once, the second one is over with the first.
async fn still_here(db: &Database, txn: &Transaction, actor: &Actor) -> Result<()> {
    let version = account::locked(db, txn, actor.person_id).await?;
    match version == Some(actor.session_version) {
        true => Ok(()),
        false => Err(Problem::signed_out().into()),
    }
}

fn not_six_digits() -> Problem {
    Problem::field("code", "invalid", "Enter the six digits that your app shows.")
}

fn not_shown_now() -> Problem {
    let message =
        "That is not what the app shows for this key now. Enter the code that it shows, and check the phone’s clock.";
    Problem::field("code", "wrong", message)
}

fn nothing_there() -> Problem {
    Problem::new(409, Code::NO_SECOND_FACTOR, "There is no authenticator app", "Set one up first.")
}
