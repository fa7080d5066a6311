//! One's own authenticator app: set up, replaced, removed, and the recovery codes. An app counts once a code of it was right, so that nobody
//! shuts themselves out with a key that is in no app.

use model::{Code, Problem};
use serde_json::json;

use super::{
    app,
    app_key::{AppKey, CodeVerdict},
    kept_key,
    recovery::{self, FreshCodes},
    standing,
    typed::TypedCode,
};
use crate::{
    Reauthenticated, Result,
    accounts::{
        account::{record, still_here},
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
        let replaces = app::is_there(&txn, owner).await?;
        let is_first = !standing::is_set_up(&txn, owner).await?;
        app::put_down(db, &txn, owner, sealed, step).await?;
        if is_first {
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
        let codes = if is_first { fresh.codes } else { Vec::new() };
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

    /// Removes the actor's app, and the recovery codes with the last second factor; the new session version is for the session that goes on.
    pub async fn remove_app(self, actor: &Reauthenticated) -> Result<i32> {
        let (db, owner) = (self.0.db(), actor.person_id);
        let txn = db.begin_write().await?;
        still_here(db, &txn, actor).await?;
        if !app::forget(db, &txn, owner).await? {
            return Err(nothing_there().into());
        }
        if !standing::is_set_up(&txn, owner).await? {
            if self.needs_second_factor(actor) {
                let detail =
                    "Your role needs a second factor. You can replace the app by another one, or add a passkey first.";
                return Err(actor.forbidden(detail));
            }
            recovery::forget(db, &txn, owner).await?;
        }
        let ended = credentials::end(db, &txn, owner, RevokeScope::Sessions).await?;
        record(db, &txn, By::Actor(actor), "account.factor_remove", owner, json!({})).await?;
        notices::of_second_factor_change(db, &txn, self.0.mail(), owner, SecondFactorChange::Removed).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
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
    Problem::new(409, Code::NO_SECOND_FACTOR, "There is no second factor", "Set one up first.")
}
