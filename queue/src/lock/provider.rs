//! Where locks are kept, and what is asked for.

use std::time::Duration;

use async_trait::async_trait;
use model::Instant;
use sea_orm::DeriveValueType;
use uuid::Uuid;

use crate::{Error, Result};

/// How long a lock is held at most, unless told: long enough for every task of its kind, short enough for an operator.
pub const AT_MOST: Duration = Duration::from_secs(3_600);
/// The longest name, in characters: what its column holds.
const LONGEST_NAME: usize = 150;

/// Where locks are kept.
#[async_trait]
pub trait LockProvider: Send + Sync {
    /// Takes the lock of that name for `holder`, or says that somebody has it.
    async fn acquire(&self, holder: &str, request: &LockRequest) -> Result<Option<LockToken>>;

    /// Gives it back, from now on or, if that is later, once `at_least` has passed. False: it was not held any more.
    async fn release(&self, name: &str, token: LockToken, at_least: Duration) -> Result<bool>;

    /// Holds it for another `at_most` from now. False: it was not held any more.
    async fn extend(&self, name: &str, token: LockToken, at_most: Duration) -> Result<bool>;

    /// Every lock there has been, by name.
    async fn list(&self) -> Result<Vec<LockRow>>;

    /// Takes a lock from whoever holds it. False: nobody held it.
    async fn break_open(&self, name: &str) -> Result<bool>;
}

/// That a lock was taken, by whom of all who have had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeriveValueType)]
pub struct LockToken(Uuid);

impl From<Uuid> for LockToken {
    fn from(drawn: Uuid) -> LockToken {
        LockToken(drawn)
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LockRequest {
    pub name: String,
    pub at_most: Duration,
    pub at_least: Duration,
}

impl LockRequest {
    /// A lock of at most [`AT_MOST`] that is free again as soon as it is given back.
    pub fn new(name: &str) -> LockRequest {
        LockRequest { name: name.to_owned(), at_most: AT_MOST, at_least: Duration::ZERO }
    }

    pub(super) fn check(&self) -> Result<()> {
        let problem = match self.name.chars().count() {
            0 => "a lock needs a name",
            n if n > LONGEST_NAME => "the name of a lock has at most 150 characters",
            _ if self.at_most.is_zero() => "a lock is held for longer than no time",
            _ if self.at_least > self.at_most => "a lock is not held at least for longer than at most",
            _ => return Ok(()),
        };
        Err(Error::BadLock(problem))
    }
}

/// A lock as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockRow {
    pub name: String,
    /// Free from this instant on.
    pub lock_until: Instant,
    pub locked_at: Instant,
    pub locked_by: String,
    /// Whether it is held now.
    pub held: bool,
    /// When it was last held for longer; none when it never was.
    pub renewed_date: Option<Instant>,
    /// How often it was held for longer since it was taken.
    pub renewals: u32,
    /// For how long it is held at most without being renewed.
    pub at_most: Duration,
}
