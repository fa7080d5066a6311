//! Tells the rest of the process which tasks have changed, from memory.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::broadcast;

use crate::Task;

/// Changes kept for a listener that lags; beyond it, it is told so and looks at the table.
const KEPT: usize = 1024;
/// A running task is told of at most twice a second; its state changes always.
const SPACING: Duration = Duration::from_millis(500);

/// What followers hear.
#[derive(Clone, Debug)]
pub enum Change {
    /// A task as it is now in the table.
    Task(Arc<Task>),
    /// Something may have been missed; the table knows.
    Missed,
}

#[derive(Clone, Debug)]
pub struct Changes {
    sender: broadcast::Sender<Change>,
}

impl Default for Changes {
    fn default() -> Self {
        Changes { sender: broadcast::channel(KEPT).0 }
    }
}

impl Changes {
    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.sender.subscribe()
    }

    /// Whether anybody listens.
    pub fn are_followed(&self) -> bool {
        self.sender.receiver_count() > 0
    }

    /// Only ever called after the commit.
    pub fn tell(&self, task: &Task) {
        // An error only means that nobody listens.
        let _ = self.sender.send(Change::Task(Arc::new(task.clone())));
    }

    /// Followers look at the table again.
    pub fn missed(&self) {
        let _ = self.sender.send(Change::Missed);
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
