//! The locks of the queue's own database, which all processes on it share.

use std::sync::Arc;

use super::{DatabaseLocks, LockRow, Locks, break_open};
use crate::{Queue, Result, Transaction};

impl Queue {
    /// The scheduler locks that all processes on the database share; `holder` is for operators.
    pub fn locks(&self, holder: &str) -> Locks {
        Locks::new(Arc::new(DatabaseLocks::new(self.db().clone())), holder)
    }

    /// Takes a scheduler lock from whoever holds it, in the caller's transaction. Gives the lock as it was; `None`: nobody held it.
    pub async fn break_lock(&self, txn: &Transaction, name: &str) -> Result<Option<LockRow>> {
        break_open(self.db(), txn, name).await
    }
}
