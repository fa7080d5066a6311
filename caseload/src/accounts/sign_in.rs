//! Passwords. A wrong one, an unknown username and a disabled account end in the same words after the same work, so that
//! nobody learns which accounts there are.

use std::{net::IpAddr, sync::OnceLock};

use model::{AccountId, Code, Problem, account::PasswordState};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};
use serde_json::json;

use crate::{
    Actor, Result, access,
    accounts::{
        account::{by_username, record},
        passwords::hashing::{KNOWN, STRANGERS},
        request_origin::{Credential, Via},
        throttle::{self, Browser, Claim, Door, SignInAttempt},
    },
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::accounts::account,
};

impl Accounts<'_> {
    /// Signs in with a password, in a browser that nobody knows.
    pub async fn sign_in(self, username: &str, password: &str, source: Option<IpAddr>) -> Result<Actor> {
        self.sign_in_by(username, password, source, None, None).await
    }

    /// Signs in with a password, for a session that is going to have this id. Whoever guesses is slowed down, and a guess takes no more of the machine than its share. A password
    /// that was made for somebody opens one session.
    pub async fn sign_in_by(
        self,
        username: &str,
        password: &str,
        source: Option<IpAddr>,
        browser: Option<&Browser>,
        session: Option<&str>,
    ) -> Result<Actor> {
        let found = by_username(self.0.db().reader(), username).await?;
        let account = found.as_ref().map(|account| account.person_id);
        let own = browser.and_then(|browser| browser.own(account));
        let claim = Claim { door: Door::SignIn, username, account, source, own };
        let verify = async |attempt: &SignInAttempt| self.verify(attempt, found, password, (source, session)).await;
        Ok(throttle::attempt(self.0, claim, verify).await??)
    }

    /// Who it is, or why not. An error says neither.
    async fn verify(
        self,
        attempt: &SignInAttempt,
        account: Option<account::Model>,
        password: &str,
        (source, session): (Option<IpAddr>, Option<&str>),
    ) -> Result<Result<Actor, Problem>> {
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
        Ok(actor.ok_or(refusal))
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

/// What is noted with a sign-in: its session, so that it is found with all that is done there.
pub(super) fn begun(session: Option<&str>) -> serde_json::Value {
    session.map_or_else(|| json!({}), |session| json!({ "session": session }))
}

/// Uses up a password that was made for somebody; false: it had been used, or is not theirs any more.
async fn spend(db: &Database, txn: &impl ConnectionTrait, person_id: AccountId, hash: &str) -> Result<bool> {
    use account::{
        Column::{PasswordHash, PasswordState as State, PersonId},
        Entity,
    };
    let spent = Entity::update_many()
        .col_expr(State, PasswordState::Spent.name().into())
        .filter(PersonId.eq(person_id))
        .filter(PasswordHash.eq(hash))
        .filter(State.eq(PasswordState::Once));
    Ok(txn.execute_raw(db.build(&spent.into_query())).await?.rows_affected() == 1)
}

fn wrong() -> Problem {
    Problem::new(401, Code::SIGN_IN_FAILED, "Username or password is wrong", "Check both and try again.")
}

/// Said to those who know the password only.
fn spent() -> Problem {
    let detail = "That was a one-time password. Ask your Docket administrator for a new one.";
    Problem::new(401, Code::PASSWORD_SPENT, "That password has been used", detail)
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
