//! The scheduler lock: of all processes, one at a time does what must not be done twice at once, such as firing a schedule.
//!
//! A lock is a value. Who holds one may go on until `at_most` has passed, whether or not it is still alive; until `at_least`
//! has passed nobody else gets it, so that work that ends at once is not done again by the next clock that is slightly
//! behind. All of it goes by the database's clock, since those of two hosts differ. Work that may take longer than `at_most`
//! keeps its lock alive meanwhile.

mod database;
mod memory;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use model::Instant;
use uuid::Uuid;

pub use database::{DatabaseLocks, break_open};
pub use memory::MemoryLocks;

use crate::{Error, Result};

/// How long a lock is held at most, unless told: long enough for every task of its kind, short enough for an operator.
pub const AT_MOST: Duration = Duration::from_secs(3_600);
/// The longest name, in characters: what its column holds.
const LONGEST_NAME: usize = 150;

/// Where locks are kept.
#[async_trait]
pub trait LockProvider: Send + Sync {
    /// Takes the lock of that name for `holder`, or says that somebody has it.
    async fn acquire(&self, holder: &str, wish: &Wish) -> Result<Option<Uuid>>;

    /// Gives it back, from now on or, if that is later, once `at_least` has passed. False: it was not held any more.
    async fn release(&self, name: &str, token: Uuid, at_least: Duration) -> Result<bool>;

    /// Holds it for another `at_most` from now. False: it was not held any more.
    async fn extend(&self, name: &str, token: Uuid, at_most: Duration) -> Result<bool>;

    /// Every lock there has been, by name.
    async fn list(&self) -> Result<Vec<LockRow>>;

    /// Takes a lock from whoever holds it. False: nobody held it.
    async fn break_open(&self, name: &str) -> Result<bool>;
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Wish {
    pub name: String,
    pub at_most: Duration,
    pub at_least: Duration,
}

impl Wish {
    /// A lock of at most [`AT_MOST`] that is free again as soon as it is given back.
    pub fn new(name: &str) -> Wish {
        Wish { name: name.to_owned(), at_most: AT_MOST, at_least: Duration::ZERO }
    }

    fn check(&self) -> Result<()> {
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

/// A cheap handle on the locks of a provider, for one holder.
#[derive(Clone)]
pub struct Locks {
    provider: Arc<dyn LockProvider>,
    holder: Arc<str>,
}

/// A lock that is held until it is released, or until its time is over.
#[must_use = "a lock that is not released is held until its time is over"]
pub struct Lock {
    provider: Arc<dyn LockProvider>,
    wish: Wish,
    token: Uuid,
}

impl Locks {
    /// `holder` is the process, for operators.
    pub fn new(provider: Arc<dyn LockProvider>, holder: &str) -> Locks {
        Locks { provider, holder: holder.into() }
    }

    /// Takes a lock, or returns `None` when it is somebody's.
    pub async fn try_lock(&self, wish: Wish) -> Result<Option<Lock>> {
        wish.check()?;
        let token = self.provider.acquire(&self.holder, &wish).await?;
        Ok(token.map(|token| Lock { provider: self.provider.clone(), wish, token }))
    }

    /// Does something under a lock, which is kept alive meanwhile and given back afterwards. `None`: somebody else has it.
    /// When it cannot be kept alive, the work is dropped where it waits.
    pub async fn with<T>(&self, wish: Wish, work: impl AsyncFnOnce(&Lock) -> T) -> Result<Option<T>> {
        let Some(lock) = self.try_lock(wish).await? else { return Ok(None) };
        let done = tokio::select! {
            done = work(&lock) => Ok(Some(done)),
            lost = lock.keep_alive() => Err(lost),
        };
        match lock.release().await {
            Ok(_) => done,
            // What was done is done; the lock ends by its time.
            Err(error) => {
                tracing::warn!(%error, "cannot give a lock back");
                done
            }
        }
    }

    /// Every lock there has been, by name.
    pub async fn list(&self) -> Result<Vec<LockRow>> {
        self.provider.list().await
    }

    /// Takes a lock from whoever holds it. False: nobody held it.
    pub async fn break_open(&self, name: &str) -> Result<bool> {
        self.provider.break_open(name).await
    }
}

impl Lock {
    pub fn name(&self) -> &str {
        &self.wish.name
    }

    /// Its name and its token, for a statement that has an effect only while it is held.
    pub(crate) fn fence(&self) -> [sea_orm::Value; 2] {
        [self.wish.name.clone().into(), self.token.into()]
    }

    /// Holds it for another `at_most` from now. False: it is not this one's any more.
    pub async fn extend(&self) -> Result<bool> {
        self.provider.extend(&self.wish.name, self.token, self.wish.at_most).await
    }

    /// Gives it back. False: it was not this one's any more.
    pub async fn release(self) -> Result<bool> {
        self.provider.release(&self.wish.name, self.token, self.wish.at_least).await
    }

    /// Extends it at half of its time, again and again; ends only when that is not possible.
    async fn keep_alive(&self) -> Error {
        let at_most = self.wish.at_most;
        let (mut sure, mut wait) = (tokio::time::Instant::now(), at_most / 2);
        loop {
            tokio::time::sleep(wait).await;
            let asked = tokio::time::Instant::now();
            match tokio::time::timeout(at_most / 8, self.extend()).await {
                Ok(Ok(true)) => (sure, wait) = (asked, at_most / 2),
                Ok(Ok(false)) => return Error::LockLost(self.wish.name.clone()),
                // It is held for the rest of its time, so there is some to ask again.
                Ok(Err(_)) | Err(_) if sure.elapsed() + at_most / 4 < at_most => wait = at_most / 8,
                Ok(Err(error)) => return error,
                Err(_) => return Error::LockLost(self.wish.name.clone()),
            }
        }
    }
}

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lock").field("name", &self.wish.name).finish_non_exhaustive()
    }
}
