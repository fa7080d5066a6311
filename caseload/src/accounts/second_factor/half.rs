//! A sign-in whose password was right, and that is asked for more. It opens nothing.

use std::time::Duration;

use model::{AccountId, Code, Instant, Problem};
use serde::{Deserialize, Serialize};

use crate::Actor;

/// How long somebody may look for their phone.
const LASTS: Duration = Duration::from_secs(5 * 60);

/// Whose password was right, and when. It is worth nothing once the account is disabled, or its password is another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfSignIn {
    pub person_id: AccountId,
    pub username: String,
    session_version: i32,
    since: Instant,
}

impl HalfSignIn {
    pub(crate) fn of(actor: &Actor, since: Instant) -> HalfSignIn {
        let Actor { person_id, session_version, ref username, .. } = *actor;
        HalfSignIn { person_id, username: username.clone(), session_version, since }
    }

    /// Whether nobody is asked any more.
    pub fn is_over(&self, now: Instant) -> bool {
        (now - self.since).to_std().is_ok_and(|since| since >= LASTS)
    }

    /// Whether the account is as it was, by the version of its sessions.
    pub(super) fn is_of(&self, session_version: i32) -> bool {
        self.session_version == session_version
    }
}

/// What is said to whoever comes too late, or to an account that has changed since.
pub(in crate::accounts) fn over() -> Problem {
    let detail = "The sign-in took longer than five minutes, or the account has changed meanwhile. Sign in again.";
    Problem::new(401, Code::SIGN_IN_OVER, "Sign in again", detail)
}

/// What is said to a program that has sent a right password and no code.
pub fn required() -> Problem {
    let detail =
        "This account has a second factor. Send the code of its authenticator app, or a recovery code, as code.";
    Problem::new(401, Code::SECOND_FACTOR_REQUIRED, "A code is needed", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_waits_for_its_code_for_five_minutes() {
        let since = Instant::UNIX_EPOCH;
        let half =
            HalfSignIn { person_id: AccountId::from_u128(1), username: String::new(), session_version: 0, since };
        let is_over = [0, 299, 300, 3_600].map(|seconds| half.is_over(since + Duration::from_secs(seconds)));
        assert_eq!(is_over, [false, false, true, true]);
    }
}
