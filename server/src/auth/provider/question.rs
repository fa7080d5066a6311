//! What a browser carries while somebody is at the provider: what the answer is measured by. It is sealed, so that nobody can read or
//! make one, counts for a while only, and is gone with the answer, so that none counts twice.

use axum::http::{HeaderMap, HeaderValue};
use model::{AccountId, Instant};
use serde::{Deserialize, Serialize};

use crate::{state::AppState, web::cookies::NamedCookie};

const COOKIE: &str = "docket-provider";
/// How long somebody may take at the provider, in seconds.
const KEPT: i64 = 600;

/// The question that was taken along.
#[derive(Serialize, Deserialize)]
pub struct SignInQuestion {
    pub provider: String,
    /// When it was asked. A browser forgets it in time; somebody else might not.
    pub asked: Instant,
    /// Comes back in the address.
    pub state: String,
    /// Comes back in what the provider signs.
    pub nonce: String,
    /// Shows the provider that whoever brings the code is whoever asked.
    pub verifier: String,
    /// Where they wanted to go.
    pub next: Option<String>,
    /// Who is asked to sign in once more, where somebody is.
    pub again: Option<AccountId>,
}

impl SignInQuestion {
    pub fn seal(&self, state: &AppState) -> Option<HeaderValue> {
        serde_json::to_string(self).ok().and_then(|words| cookie(state).seal(words, KEPT))
    }

    pub fn open(state: &AppState, headers: &HeaderMap) -> Option<SignInQuestion> {
        cookie(state).open(headers).and_then(|words| serde_json::from_str(&words).ok())
    }

    /// Whether it was asked long enough ago that nobody waits for its answer.
    pub fn is_over(&self, now: Instant) -> bool {
        (now - self.asked).num_seconds() >= KEPT
    }

    /// Has the browser forget it.
    pub fn gone(state: &AppState) -> Option<HeaderValue> {
        cookie(state).gone()
    }
}

fn cookie(state: &AppState) -> NamedCookie<'_> {
    NamedCookie { name: COOKIE, key: &state.key, http: &state.http }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn nobody_waits_for_an_answer_longer_than_ten_minutes() {
        let asked = Instant::UNIX_EPOCH;
        let text = String::new;
        let question = SignInQuestion {
            provider: text(),
            asked,
            state: text(),
            nonce: text(),
            verifier: text(),
            next: None,
            again: None,
        };
        let is_over = [0, 599, 600].map(|seconds| question.is_over(asked + TimeDelta::seconds(seconds)));
        assert_eq!(is_over, [false, false, true]);
    }
}
