//! What is to be told and what was heard, in this process.

use model::TaskId;
use std::{
    collections::BTreeSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{Notify, futures::Notified};

/// What makes this process look for tasks, noted until it does.
#[derive(Default)]
pub struct Wake {
    called: Notify,
    open: AtomicBool,
}

impl Wake {
    /// Something may be due, and whoever finds it may have it.
    pub fn call(&self) {
        self.open();
        self.called.notify_one();
    }

    /// This process has a reason of its own to look; what others are being told of is theirs.
    pub fn nudge(&self) {
        self.called.notify_one();
    }

    /// When there is a next look, it may find anything.
    pub fn open(&self) {
        self.open.store(true, Ordering::Release);
    }

    /// Waits for the next call.
    pub fn called(&self) -> Notified<'_> {
        self.called.notified()
    }

    /// Whether the look that begins now may find anything.
    pub fn take_open(&self) -> bool {
        self.open.swap(false, Ordering::AcqRel)
    }
}

/// What other processes have not been told yet. Told once, however often it was noted meanwhile.
#[derive(Default)]
pub struct Outgoing {
    untold: Mutex<UnsentHints>,
    noted: Notify,
}

/// What is to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnsentHints {
    /// Whether something may be due.
    pub due: bool,
    /// Tasks that have changed.
    pub changed: BTreeSet<TaskId>,
    /// Whether more have changed than can be told.
    pub more: bool,
}

impl Outgoing {
    pub fn due(&self) {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).due = true;
        self.noted.notify_one();
    }

    pub fn changed(&self, id: TaskId) {
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody may be taking them.
        if untold.changed.len() < MOST {
            untold.changed.insert(id);
        } else {
            untold.more |= !untold.changed.contains(&id);
        }
        drop(untold);
        self.noted.notify_one();
    }

    /// Notes that something was taken and could not be told.
    pub fn lost(&self) {
        *self.untold.lock().unwrap_or_else(PoisonError::into_inner) =
            UnsentHints { due: true, changed: BTreeSet::new(), more: true };
        self.noted.notify_one();
    }

    /// Takes what there is to tell, if anything.
    pub fn take_now(&self) -> Option<UnsentHints> {
        let untold = std::mem::take(&mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner));
        (untold != UnsentHints::default()).then_some(untold)
    }

    /// Waits until there is something to tell, and takes it.
    pub async fn take(&self) -> UnsentHints {
        loop {
            let noted = self.noted.notified();
            if let Some(untold) = self.take_now() {
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

    testkit::tests!(on one thread; what_is_noted_often_is_told_once, what_is_too_much_to_tell_is_said_to_be);

    async fn what_is_noted_often_is_told_once() {
        let outgoing = Outgoing::default();
        let id = TaskId::from_u128(7);
        outgoing.changed(id);
        outgoing.due();
        outgoing.due();
        outgoing.changed(id);
        assert_eq!(outgoing.take().await, UnsentHints { due: true, changed: [id].into(), more: false });
        outgoing.changed(id);
        assert_eq!(outgoing.take().await, UnsentHints { due: false, changed: [id].into(), more: false });
    }

    async fn what_is_too_much_to_tell_is_said_to_be() {
        let outgoing = Outgoing::default();
        for id in 0..=MOST as u128 {
            outgoing.changed(TaskId::from_u128(id));
        }
        let told = outgoing.take().await;
        assert_eq!((told.changed.len(), told.more), (MOST, true));
        outgoing.lost();
        assert_eq!(outgoing.take().await, UnsentHints { due: true, changed: BTreeSet::new(), more: true });
    }
}
