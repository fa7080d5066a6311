//! What the broker tells this process of tasks and of other processes.

use std::sync::atomic::Ordering;

use super::Inner;
use crate::wake;

impl wake::rabbit::Worker for Inner {
    fn process(&self) -> &str {
        &self.process.id
    }

    fn is_told(&self) {
        self.told.store(true, Ordering::Release);
        self.queue.inner.wake.notify_one();
    }

    fn has_vanished(&self, process: &str) {
        self.vanished().insert(process.to_owned());
        self.look.notify_one();
    }

    fn has_returned(&self, process: &str) {
        self.vanished().remove(process);
    }

    fn are_listed(&self, processes: &[String]) {
        self.vanished().retain(|process| processes.contains(process));
    }
}
