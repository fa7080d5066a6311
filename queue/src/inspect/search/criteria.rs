//! Which tasks are looked for.

use model::{AccountId, Instant, TaskId, TaskState};

/// Which tasks, the last submitted first unless the oldest are wished for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskSearch {
    pub owner_id: Option<AccountId>,
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    /// Some attempt was made by this process; a running one it has now.
    pub process: Option<String>,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: bool,
    /// The last attempt failed of this cause.
    pub cause: Option<String>,
    /// Some attempt failed with these words in its error.
    pub error: Option<String>,
    /// The attempt with that error failed at or after this instant.
    pub error_since: Option<Instant>,
    /// Ended at or after this instant.
    pub ended_since: Option<Instant>,
    /// Submitted at or after this instant.
    pub since: Option<Instant>,
    /// Submitted before this instant.
    pub until: Option<Instant>,
    /// These and no others, whatever else is asked.
    pub only: Option<Vec<TaskId>>,
    /// The last task of the page before.
    pub after: Option<TaskId>,
    /// Submitted after this task.
    pub newer: Option<TaskId>,
    /// Up to this task, and none that is newer.
    pub newest: Option<TaskId>,
    pub oldest_first: bool,
    pub limit: u64,
}
