//! What is told by the broker to whoever runs tasks.

use model::TaskId;

/// What listens to the broker needs to know of the runtime that it wakes.
pub trait Worker: Send + Sync {
    /// Its identity in the table of processes.
    fn process(&self) -> &str;

    /// These tasks, whose kinds it knows, are due, and nobody else was told.
    fn is_told(&self, tasks: &[TaskId]);

    /// Another process has left the broker without a word.
    fn has_vanished(&self, process: &str);

    /// Another process is at the broker.
    fn has_returned(&self, process: &str);

    /// These other processes are on the list and do not stop.
    fn are_listed(&self, processes: &[String]);
}
