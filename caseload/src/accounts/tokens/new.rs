//! An access token to be: what it is for, how far it goes and how long it lasts.

use std::time::Duration;

use model::{Problem, account::TokenScope};

/// The longest name, in characters.
const LONGEST: usize = 60;
/// How long a token lasts unless somebody wishes otherwise, in days.
pub const DEFAULT_DAYS: u32 = 90;
/// The longest, in days.
pub const MOST_DAYS: u32 = 365;

/// A token to be.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What it is for.
    pub name: String,
    pub scope: TokenScope,
    pub lasts: Duration,
}

impl NewToken {
    /// One of the default length.
    pub fn new(name: impl Into<String>, scope: TokenScope) -> NewToken {
        NewToken { name: name.into(), scope, lasts: days(DEFAULT_DAYS) }
    }

    pub(crate) fn checked(self) -> Result<NewToken, Problem> {
        let name = self.name.trim();
        if name.is_empty() {
            return Err(Problem::field("name", "required", "Name the program that the token is for."));
        }
        if !model::enum_words::is_name(name, LONGEST) {
            let message = format!("Use at most {LONGEST} visible characters.");
            return Err(Problem::field("name", "invalid", message));
        }
        if self.lasts.is_zero() || self.lasts > days(MOST_DAYS) {
            let message = format!("A token can last 1 to {MOST_DAYS} days.");
            return Err(Problem::field("days", "invalid", message));
        }
        Ok(NewToken { name: name.to_owned(), ..self })
    }
}

/// So many days.
pub fn days(number: u32) -> Duration {
    Duration::from_secs(u64::from(number) * 86_400)
}
