//! Passwords. A wrong one, an unknown username and a disabled account end in the same words after the same work, so that
//! nobody learns which accounts there are.

use std::{net::IpAddr, sync::OnceLock};

use model::{Code, Problem};
use serde_json::json;

use crate::{
    Actor, Result, access,
    accounts::{
        account::{by_username, record},
        passwords::{
            hashing::{KNOWN, STRANGERS},
            once::{spend, spent},
        },
        request_origin::{Credential, Via},
        second_factor::{self, HalfSignIn},
        session::begun,
        throttle::{self, Browser, Claim, Door, SignInAttempt},
    },
    audit::entry::{self, By, Entry},
    caseload::{Accounts, Factors},
    entity::accounts::account,
};

/// What a right password came to.
#[derive(Debug)]
pub enum FirstStep {
    CameIn(Box<Actor>),
    /// More is asked of them first (see [`Factors::second_step`]).
    Asked(HalfSignIn),
}

impl Factors<'_> {
    /// Takes a password, for a session that is going to have this id. Whoever guesses is slowed down, and a guess takes no more of the machine than its share. A password
    /// that was made for somebody opens one session.
    pub async fn first_step(
        self,
        username: &str,
        password: &str,
        source: Option<IpAddr>,
        browser: Option<&Browser>,
        session: Option<&str>,
    ) -> Result<FirstStep> {
        let found = by_username(self.0.db().reader(), username).await?;
        let account = found.as_ref().map(|account| account.person_id);
        let own = browser.and_then(|browser| browser.own(account));
        let claim = Claim { door: Door::SignIn, username, account, source, own };
        let verify = async |attempt: &SignInAttempt| {
            self.0.accounts().verify(attempt, found, password, (source, browser, session)).await
        };
        Ok(throttle::attempt(self.0, claim, verify).await??)
    }
}

impl Accounts<'_> {
    /// Signs in with a password alone, in a browser that nobody knows.
    pub async fn sign_in(self, username: &str, password: &str, source: Option<IpAddr>) -> Result<Actor> {
        match self.0.factors().first_step(username, password, source, None, None).await? {
            FirstStep::CameIn(actor) => Ok(*actor),
            FirstStep::Asked(_) => Err(second_factor::required().into()),
        }
    }

    /// Who it is, or why not. An error says neither.
    async fn verify(
        self,
        attempt: &SignInAttempt,
        account: Option<account::Model>,
        password: &str,
        (source, browser, session): (Option<IpAddr>, Option<&Browser>, Option<&str>),
    ) -> Result<Result<FirstStep, Problem>> {
        let db = self.0.db();
        let hash = match &account {
            Some(account) if self.0.passwords().is_for(&account.username) && !account.password_hash.is_empty() => {
                account.password_hash.clone()
            }
            _ => decoy().await?,
        };
        let lane = if attempt.is_known { &KNOWN } else { &STRANGERS };
        let right = lane.verify(password.to_owned(), hash).await? && account.is_some();
        let person_id = account.as_ref().map(|account| account.person_id);
        let for_once = account.as_ref().filter(|account| right && account.password_state.is_to_be_changed());
        let for_once = for_once.map(|account| account.password_hash.clone());
        let mut actor = match account {
            Some(account) if right => {
                access::actor(db.reader(), account, Via::new(Credential::Password, source)).await?
            }
            _ => None,
        };
        let txn = db.begin_write().await?;
        if let Some(actor) = &actor
            && second_factor::is_set_up(&txn, actor.person_id).await?
            && !second_factor::is_remembered(db, &txn, actor.person_id, browser).await?
        {
            let half = HalfSignIn::of(actor, db.now().await?);
            let by = By::AtTheDoor { account: person_id, source };
            record(db, &txn, by, "session.half", actor.person_id, json!({})).await?;
            attempt.was_right(db, &txn).await?;
            db.commit(txn).await?;
            return Ok(Ok(FirstStep::Asked(half)));
        }
        let mut refusal = wrong();
        if let (Some(found), Some(hash)) = (&actor, for_once)
            && !spend(db, &txn, found.person_id, &hash).await?
        {
            (actor, refusal) = (None, spent());
        }
        let (action, detail) = match actor {
            Some(_) => ("session.begin", begun(session)),
            None => ("session.refused", json!({})),
        };
        let object_id = person_id.map(|id| id.to_string());
        let by = By::AtTheDoor { account: person_id, source };
        entry::record(db, &txn, Entry { by, action, object_kind: "account", object_id, detail }).await?;
        if let Some(actor) = &actor {
            attempt.succeeded(db, &txn, actor.person_id).await?;
        }
        db.commit(txn).await?;
        Ok(actor.map(|actor| FirstStep::CameIn(Box::new(actor))).ok_or(refusal))
    }

    /// Notes that a session was ended by its owner.
    pub async fn signed_out(self, actor: &Actor) -> Result<()> {
        let txn = self.0.db().begin_write().await?;
        let entry = Entry {
            by: By::Actor(actor),
            action: "session.end",
            object_kind: "account",
            object_id: Some(actor.person_id.to_string()),
            detail: json!({}),
        };
        entry::record(self.0.db(), &txn, entry).await?;
        Ok(self.0.db().commit(txn).await?)
    }
}

impl Accounts<'_> {
    /// Notes that a session of the actor's was ended by them from another one.
    pub async fn session_ended(self, actor: &Actor, session: &str) -> Result<()> {
        let detail = json!({ "session": session });
        let txn = self.0.db().begin_write().await?;
        record(self.0.db(), &txn, By::Actor(actor), "session.end", actor.person_id, detail).await?;
        Ok(self.0.db().commit(txn).await?)
    }
}

fn wrong() -> Problem {
    Problem::new(401, Code::SIGN_IN_FAILED, "Username or password is wrong", "Check both and try again.")
}

/// A hash that no password has, for accounts that do not exist.
async fn decoy() -> Result<String> {
    static DECOY: OnceLock<String> = OnceLock::new();
    if let Some(decoy) = DECOY.get() {
        return Ok(decoy.clone());
    }
    let fresh = KNOWN.hash(queue::new_id::<uuid::Uuid>().to_string()).await?;
    Ok(DECOY.get_or_init(|| fresh).clone())
}
