//! The scheduler lock: of all processes, one at a time does what must not be done twice at once, such as firing a schedule.
//!
//! A lock is a value. Who holds one may go on until `at_most` has passed, whether or not it is still alive; until `at_least`
//! has passed nobody else gets it, so that work that ends at once is not done again by the next clock that is slightly
//! behind. All of it goes by the database's clock, since those of two hosts differ. Work that may take longer than `at_most`
//! keeps its lock alive meanwhile.

mod database;
mod memory;
mod provider;
mod queue_locks;

use std::{fmt, sync::Arc};

pub use database::{DatabaseLocks, break_open};
pub use memory::MemoryLocks;
pub use provider::{AT_MOST, LockProvider, LockRequest, LockRow, LockToken};

use crate::{Error, Result};

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
    request: LockRequest,
    token: LockToken,
}

impl Locks {
    /// `holder` is the process, for operators.
    pub fn new(provider: Arc<dyn LockProvider>, holder: &str) -> Locks {
        Locks { provider, holder: holder.into() }
    }

    /// Takes a lock, or returns `None` when it is somebody's.
    pub async fn try_lock(&self, request: LockRequest) -> Result<Option<Lock>> {
        request.check()?;
        let token = self.provider.acquire(&self.holder, &request).await?;
        Ok(token.map(|token| Lock { provider: self.provider.clone(), request, token }))
    }

    /// Does something under a lock, which is kept alive meanwhile and given back afterwards. `None`: somebody else has it.
    /// When it cannot be kept alive, the work is dropped where it waits.
    pub async fn with<T>(&self, request: LockRequest, work: impl AsyncFnOnce(&Lock) -> T) -> Result<Option<T>> {
        let Some(lock) = self.try_lock(request).await? else { return Ok(None) };
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
        &self.request.name
    }

    /// Its name and its token, for a statement that has an effect only while it is held.
    pub(crate) fn fence(&self) -> [sea_orm::Value; 2] {
        [self.request.name.clone().into(), self.token.into()]
    }

    /// Holds it for another `at_most` from now. False: it is not this one's any more.
    pub async fn extend(&self) -> Result<bool> {
        self.provider.extend(&self.request.name, self.token, self.request.at_most).await
    }

    /// Gives it back. False: it was not this one's any more.
    pub async fn release(self) -> Result<bool> {
        self.provider.release(&self.request.name, self.token, self.request.at_least).await
    }

    /// Extends it at half of its time, again and again; ends only when that is not possible.
    async fn keep_alive(&self) -> Error {
        let at_most = self.request.at_most;
        let (mut sure, mut wait) = (tokio::time::Instant::now(), at_most / 2);
        loop {
            tokio::time::sleep(wait).await;
            let asked = tokio::time::Instant::now();
            match tokio::time::timeout(at_most / 8, self.extend()).await {
                Ok(Ok(true)) => (sure, wait) = (asked, at_most / 2),
                Ok(Ok(false)) => return Error::LockLost(self.request.name.clone()),
                // It is held for the rest of its time, so there is some to ask again.
                Ok(Err(_)) | Err(_) if sure.elapsed() + at_most / 4 < at_most => wait = at_most / 8,
                Ok(Err(error)) => return error,
                Err(_) => return Error::LockLost(self.request.name.clone()),
            }
        }
    }
}

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lock").field("name", &self.request.name).finish_non_exhaustive()
    }
}
