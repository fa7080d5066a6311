//! How an attempt at a task ended.

use crate::enum_words::words;

words! {
    /// How an attempt ended. An attempt without one runs.
    AttemptOutcome {
        Completed = "COMPLETED", "Done";
        /// Failed, to be tried again after a wait.
        ToRetry = "RETRY", "Failed, waiting to retry";
        /// There is nothing to do for a while.
        Waits = "WAITS", "Waiting to retry";
        /// Given back by a process that stops; no failure is counted.
        PutBack = "PUT_BACK", "Paused for a restart";
        /// Taken from a process that was gone or silent.
        Rescued = "RESCUED", "Interrupted";
        Failed = "FAILED", "Failed";
        /// Taken from a process that died, for the last time.
        Poison = "POISON", "Failed: Docket stopped each time";
        /// Given up by its owner or an operator.
        Abandoned = "ABANDONED", "Cancelled or closed";
        /// Never began: what was asked cannot be read.
        CouldNotStart = "COULD_NOT_START", "Could not start";
        /// Taken from a process that died, to be undone by another task.
        Compensated = "COMPENSATED", "Undone";
        /// Taken from a process that died, of a kind that is not tried again.
        GivenUp = "GIVEN_UP", "Not retried";
        /// In a way that only another version knows.
        Otherwise = "OTHERWISE", "Ended";
    }
}

impl AttemptOutcome {
    /// Whether the task ended with it, and in vain.
    pub fn is_dead(self) -> bool {
        match self {
            AttemptOutcome::Failed
            | AttemptOutcome::Poison
            | AttemptOutcome::CouldNotStart
            | AttemptOutcome::Compensated
            | AttemptOutcome::GivenUp => true,
            AttemptOutcome::Completed
            | AttemptOutcome::ToRetry
            | AttemptOutcome::Waits
            | AttemptOutcome::PutBack
            | AttemptOutcome::Rescued
            | AttemptOutcome::Abandoned
            | AttemptOutcome::Otherwise => false,
        }
    }
}
