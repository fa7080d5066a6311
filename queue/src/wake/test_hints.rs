//! Hints that are carried by hand, for tests that say which of them arrive, and when.

use futures::FutureExt;

use crate::Queue;

/// The hints of one process.
pub struct ByHand<'a>(&'a Queue);

impl Queue {
    /// Instead of [`Queue::exchange_hints`]. For tests.
    pub fn hints_by_hand(&self) -> ByHand<'_> {
        ByHand(self)
    }
}

impl ByHand<'_> {
    /// Whether there is anything to tell other processes since the last call: that something may be due.
    pub fn says(&self) -> bool {
        self.0.inner.outgoing.take_now().is_some_and(|untold| untold.due)
    }

    /// Another process has said that something may be due.
    pub fn hears(&self) {
        self.0.inner.wake.call();
    }

    /// Whether this process has had a hint, of its own or another's, since the last call.
    pub fn has_heard(&self) -> bool {
        self.0.inner.wake.called().now_or_never().is_some()
    }
}
