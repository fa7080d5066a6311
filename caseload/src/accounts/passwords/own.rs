//! An account's own password: whether this is it, and a new one.

use model::{Problem, account::PasswordState};
use sea_orm::EntityTrait;
use serde_json::json;

use crate::{
    Actor, Caseload, Result,
    accounts::{
        account::record,
        credentials,
        passwords::{NewPassword, hashing::KNOWN},
        throttle::{self, Claim, Door, SignInAttempt},
    },
    audit::entry::By,
    caseload::Accounts,
    entity::accounts::account,
    notices::{self, PasswordChange},
};

/// Whether this is the actor's own password. Whoever sits at a session that was left open and guesses is slowed down as at the
/// door, and nobody else's guesses keep the owner from it.
pub(crate) async fn is_own_password(caseload: &Caseload, actor: &Actor, password: &str) -> Result<bool> {
    let (username, account, source) = (&actor.username, Some(actor.person_id), actor.via.source);
    let claim = Claim { door: Door::SignIn, username, account, source, own: Some("session".to_owned()) };
    let verify = async |attempt: &SignInAttempt| {
        let db = caseload.db();
        let account = account::Entity::find_by_id(actor.person_id).one(db.reader()).await?;
        let account = account.filter(|account| caseload.passwords().is_for(&account.username));
        let Some(account) = account else { return Ok(false) };
        let right = KNOWN.verify(password.to_owned(), account.password_hash).await?;
        if right {
            let txn = db.begin_write().await?;
            attempt.succeeded(db, &txn, actor.person_id).await?;
            db.commit(txn).await?;
        }
        Ok(right)
    };
    throttle::attempt(caseload, claim, verify).await
}

impl Accounts<'_> {
    /// Whether the actor can come in by a password at all.
    pub async fn has_password(self, actor: &Actor) -> Result<bool> {
        let account = account::Entity::find_by_id(actor.person_id).one(self.0.db().reader()).await?;
        let is_for = |account: account::Model| {
            self.0.passwords().is_for(&account.username) && account.password_state != PasswordState::Missing
        };
        Ok(account.is_some_and(is_for))
    }

    /// Changes the actor's own password. Every session and token of theirs ends; the new session version is for the session that
    /// goes on.
    pub async fn change_password(self, actor: &Actor, current: &str, password: &str) -> Result<i32> {
        if !is_own_password(self.0, actor, current).await? {
            return Err(Problem::field("current", "wrong", "That is not your current password.").into());
        }
        if password == current {
            return Err(Problem::field("password", "same", "Choose a password other than your current one.").into());
        }
        let password = NewPassword::Chosen(password.to_owned()).hashed(&actor.username, &actor.name).await?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let ended = credentials::set_password(db, &txn, actor.person_id, password).await?;
        let detail = json!({ "tokens": ended.tokens });
        record(db, &txn, By::Actor(actor), "account.password", actor.person_id, detail).await?;
        notices::of_password_change(db, &txn, self.0.mail(), actor.person_id, PasswordChange::InSettings).await?;
        db.commit(txn).await?;
        Ok(ended.session_version)
    }
}
