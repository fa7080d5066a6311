//! What the broker tells this process of tasks and of other processes.

use super::RuntimeInner;
use crate::wake;
use model::TaskId;

/// The most tasks that a process is told of between two looks.
const MOST_TOLD: usize = 200;

impl wake::rabbit::Worker for RuntimeInner {
    fn process(&self) -> &str {
        &self.process.id
    }

    fn is_told(&self, tasks: &[TaskId]) {
        let mut told = self.hinted();
        // What does not fit is anybody's a moment later.
        let room = MOST_TOLD.saturating_sub(told.len());
        told.extend(tasks.iter().take(room));
        drop(told);
        self.queue.inner.wake.nudge();
    }

    fn has_vanished(&self, process: &str) {
        self.at_broker().insert(process.to_owned(), false);
        self.look.notify_one();
    }

    fn has_returned(&self, process: &str) {
        self.at_broker().insert(process.to_owned(), true);
    }

    fn are_listed(&self, processes: &[String]) {
        self.at_broker().retain(|process, _| processes.contains(process));
    }
}
