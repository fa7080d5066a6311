//! Proof that it is still them. A session that was left open, or taken, is enough for daily work and not for what decides who
//! may come in, or as what: that takes a password, typed within the last minutes.

use std::{ops::Deref, time::Duration};

use model::{Instant, Problem};

use crate::{Actor, Result, accounts::passwords::own, caseload::Accounts};

/// The field of every form in which somebody types their own password once more.
pub const FIELD: &str = "own_password";
/// For how long a password that was typed is proof.
const LASTS: Duration = Duration::from_secs(5 * 60);

/// An actor who has typed their password within the last minutes. Use cases that decide who may come in take one, so that none
/// of them can forget to ask.
#[derive(Debug)]
pub struct Reauthenticated(Actor);

impl Deref for Reauthenticated {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.0
    }
}

/// Whether a password that was typed at this time is proof still.
pub fn is_recent(typed: Option<Instant>, now: Instant) -> bool {
    typed.is_some_and(|typed| typed <= now && (now - typed).to_std().is_ok_and(|since| since < LASTS))
}

impl Accounts<'_> {
    /// The proof of an actor: `typed`, when they typed their password last in this session, or the password itself.
    pub async fn prove(self, actor: &Actor, typed: Option<Instant>, password: Option<&str>) -> Result<Reauthenticated> {
        if is_recent(typed, self.0.db().now().await?) {
            return Ok(Reauthenticated(actor.clone()));
        }
        let Some(password) = password.filter(|password| !password.is_empty()) else {
            let minutes = LASTS.as_secs() / 60;
            let message = format!("You signed in more than {minutes} minutes ago. Enter your password to continue.");
            return Err(Problem::field(FIELD, "required", message).into());
        };
        if !own::is_own_password(self.0, actor, password).await? {
            return Err(Problem::field(FIELD, "wrong", "That is not your password.").into());
        }
        Ok(Reauthenticated(actor.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_proof_for_five_minutes_and_not_from_the_future() {
        let now = Instant::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let typed = |ago: i64| Some(now - chrono::TimeDelta::seconds(ago));
        let recent = [0, 299, 300, 3_600, -60].map(|ago| is_recent(typed(ago), now));
        assert_eq!((recent, is_recent(None, now)), ([true, true, false, false, false], false));
    }
}
