//! Tells the rest of the process which tasks have changed, from memory.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::mpsc;

use crate::Task;

/// Changes kept for a follower that lags; beyond it, it is told so and looks at the table.
const KEPT: usize = 256;
/// A running task is told of at most twice a second; its state changes always.
const SPACING: Duration = Duration::from_millis(500);

/// What followers hear.
#[derive(Clone, Debug)]
pub enum TaskChange {
    /// A task as it is now in the table.
    Task(Arc<Task>),
    /// Something may have been missed; the table knows.
    Missed,
}

/// Who follows what. Each change goes to those whom it concerns, so that a thousand who wait for other tasks cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    followers: Arc<Mutex<HashMap<u64, Follower>>>,
    next: Arc<AtomicU64>,
}

/// One of them, as the teller knows it.
struct Follower {
    wants: Box<dyn Fn(&Task) -> bool + Send>,
    sender: mpsc::Sender<TaskChange>,
    /// Whether it lagged too far behind to be told everything.
    missed: Arc<AtomicBool>,
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower").field("missed", &self.missed).finish_non_exhaustive()
    }
}

/// What one hears, until it is dropped.
#[derive(Debug)]
pub struct Following {
    changes: Changes,
    number: u64,
    receiver: mpsc::Receiver<TaskChange>,
    missed: Arc<AtomicBool>,
}

impl Changes {
    /// Follows the tasks that are wanted. Asked of each change, so it should cost next to nothing.
    pub fn follow(&self, wants: impl Fn(&Task) -> bool + Send + 'static) -> Following {
        let (sender, receiver) = mpsc::channel(KEPT);
        let missed = Arc::<AtomicBool>::default();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let follower = Follower { wants: Box::new(wants), sender, missed: missed.clone() };
        self.lock().insert(number, follower);
        Following { changes: self.clone(), number, receiver, missed }
    }

    /// Whether anybody listens.
    pub fn are_followed(&self) -> bool {
        !self.lock().is_empty()
    }

    /// Only ever called after the commit.
    pub fn notify(&self, task: &Task) {
        let followers = self.lock();
        let mut told = None;
        for follower in followers.values().filter(|follower| (follower.wants)(task)) {
            let told = told.get_or_insert_with(|| Arc::new(task.clone()));
            follower.hear(TaskChange::Task(told.clone()));
        }
    }

    /// Followers look at the table again.
    pub fn missed(&self) {
        self.lock().values().for_each(|follower| follower.hear(TaskChange::Missed));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Follower>> {
        self.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    fn hear(&self, change: TaskChange) {
        // Full: it looks at the table once it comes to it.
        if self.sender.try_send(change).is_err() {
            self.missed.store(true, Ordering::Release);
        }
    }
}

impl Following {
    /// The next change, if there is one already.
    pub fn try_recv(&mut self) -> Option<TaskChange> {
        match self.missed.swap(false, Ordering::AcqRel) {
            true => Some(self.begin_anew()),
            false => self.receiver.try_recv().ok(),
        }
    }

    /// The next change.
    pub async fn recv(&mut self) -> TaskChange {
        if self.missed.swap(false, Ordering::AcqRel) {
            return self.begin_anew();
        }
        // The sender lives as long as this does.
        self.receiver.recv().await.unwrap_or(TaskChange::Missed)
    }

    fn begin_anew(&mut self) -> TaskChange {
        // What is still there is older than the table.
        while self.receiver.try_recv().is_ok() {}
        TaskChange::Missed
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.changes.lock().remove(&self.number);
    }
}

/// Spaces the progress of one run.
#[derive(Default)]
pub struct Spacing {
    last: Option<Instant>,
}

impl Spacing {
    /// Whether it is time again; remembers it if so.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let due = self.last.is_none_or(|last| now.duration_since(last) >= SPACING);
        if due {
            self.last = Some(now);
        }
        due
    }
}
