//! Locks in memory, for a single process and for tests of what uses locks.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use model::Instant;

use super::provider::{LockProvider, LockRequest, LockRow, LockToken};
use crate::{Clock, Result, random};

/// Locks that end with the process.
#[derive(Default)]
pub struct MemoryLocks {
    clock: Clock,
    locks: Mutex<BTreeMap<String, Held>>,
}

struct Held {
    until: Instant,
    at: Instant,
    by: String,
    token: LockToken,
    at_most: Duration,
    renewed: Option<Instant>,
    renewals: u32,
}

impl MemoryLocks {
    /// Locks that go by this clock.
    pub fn new(clock: Clock) -> MemoryLocks {
        MemoryLocks { clock, locks: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Held>> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes a lock if it is held with that token; false if not.
    fn change(&self, name: &str, token: LockToken, change: impl FnOnce(&mut Held, Instant)) -> bool {
        let now = self.clock.now();
        match self.lock().get_mut(name).filter(|held| held.token == token && held.until > now) {
            Some(held) => {
                change(held, now);
                true
            }
            None => false,
        }
    }
}

#[async_trait]
impl LockProvider for MemoryLocks {
    async fn acquire(&self, holder: &str, request: &LockRequest) -> Result<Option<LockToken>> {
        let (now, token) = (self.clock.now(), random::secret_id());
        let mut locks = self.lock();
        if locks.get(&request.name).is_some_and(|held| held.until > now) {
            return Ok(None);
        }
        let held = Held {
            until: now + request.at_most,
            at: now,
            by: holder.to_owned(),
            token,
            at_most: request.at_most,
            renewed: None,
            renewals: 0,
        };
        locks.insert(request.name.clone(), held);
        Ok(Some(token))
    }

    async fn release(&self, name: &str, token: LockToken, at_least: Duration) -> Result<bool> {
        Ok(self.change(name, token, |held, now| held.until = now.max(held.at + at_least)))
    }

    async fn extend(&self, name: &str, token: LockToken, at_most: Duration) -> Result<bool> {
        Ok(self.change(name, token, |held, now| {
            held.until = now + at_most;
            held.renewed = Some(now);
            held.renewals += 1;
        }))
    }

    async fn list(&self) -> Result<Vec<LockRow>> {
        let now = self.clock.now();
        let row = |(name, held): (&String, &Held)| LockRow {
            name: name.clone(),
            lock_until: held.until,
            locked_at: held.at,
            locked_by: held.by.clone(),
            held: held.until > now,
            renewed_date: held.renewed,
            renewals: held.renewals,
            at_most: held.at_most,
        };
        Ok(self.lock().iter().map(row).collect())
    }

    async fn break_open(&self, name: &str) -> Result<bool> {
        let now = self.clock.now();
        match self.lock().get_mut(name).filter(|held| held.until > now) {
            Some(held) => {
                held.until = now;
                held.token = random::secret_id();
                Ok(true)
            }
            None => Ok(false),
        }
    }
}
