//! Hints between processes: that there may be something to claim, and which tasks have changed. A hint is only ever a hint:
//! it is sent after the commit, may be lost, doubled or late, and polling finds everything without it.

pub mod postgres;

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use tokio::sync::Notify;
use uuid::Uuid;

/// What other processes have not been told yet. Told once, however often it was noted meanwhile.
#[derive(Default)]
pub struct Outgoing {
    untold: Mutex<Untold>,
    noted: Notify,
}

/// What is to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untold {
    /// Whether something may be due.
    pub due: bool,
    /// Tasks that have changed.
    pub changed: BTreeSet<Uuid>,
}

impl Outgoing {
    pub fn due(&self) {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).due = true;
        self.noted.notify_one();
    }

    pub fn changed(&self, id: Uuid) {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody may be taking them; those who miss some look at the table.
        if untold.changed.len() < MOST {
            untold.changed.insert(id);
        }
        drop(untold);
        self.noted.notify_one();
    }

    /// Waits until there is something to tell, and takes it.
    pub async fn take(&self) -> Untold {
        loop {
            let noted = self.noted.notified();
            let untold = std::mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner));
            if untold != Untold::default() {
                return untold;
            }
            noted.await;
        }
    }
}

/// Tasks in one message: PostgreSQL takes 8,000 bytes, and an id is 37 with its comma.
const MOST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_noted_often_is_told_once() {
        let outgoing = Outgoing::default();
        let id = Uuid::from_u128(7);
        outgoing.due();
        outgoing.changed(id);
        outgoing.changed(id);
        outgoing.due();
        assert_eq!(outgoing.take().await, Untold { due: true, changed: [id].into() });
        outgoing.changed(id);
        assert_eq!(outgoing.take().await, Untold { due: false, changed: [id].into() });
    }
}
