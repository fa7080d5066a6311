//! The states of a task: the stored ones, and the ones people see.

use serde::{Deserialize, Serialize};

use super::kind::Description;
use crate::{
    AccountId, Cursor, Instant, Outcome, TaskId, action::ExportFormat, enum_words::words, ledger::LedgerFilter,
};

words! {
    /// The stored state.
    WorkflowStatus {
        /// Waits to be claimed, now or at its trigger date.
        Queued = "QUEUED", "Waiting";
        /// Claimed by a process that has not begun it.
        Scheduling = "SCHEDULING", "Starting";
        Executing = "EXECUTING", "Running";
        Completed = "COMPLETED", "Done";
        /// The machinery could not build or hand over the run.
        Error = "ERROR", "Could not start";
        /// A permanent failure, failures exhausted, or poison.
        Failure = "FAILURE", "Failed";
        /// Given up by its owner or an operator.
        Abandoned = "ABANDONED", "Cancelled or closed";
    }
}

impl WorkflowStatus {
    /// It waits, or a process owns it.
    pub const OPEN: &[WorkflowStatus] =
        &[WorkflowStatus::Queued, WorkflowStatus::Scheduling, WorkflowStatus::Executing];
    /// A process owns the task.
    pub const RUNNING: &[WorkflowStatus] = &[WorkflowStatus::Scheduling, WorkflowStatus::Executing];
    /// It ended without being done, and could go on.
    pub const FAILED: &[WorkflowStatus] = &[WorkflowStatus::Failure, WorkflowStatus::Error];
    /// The same, or it waits: to be tried again, after a failure.
    pub const FAILED_OR_QUEUED: &[WorkflowStatus] =
        &[WorkflowStatus::Failure, WorkflowStatus::Error, WorkflowStatus::Queued];
    /// Nothing happens any more unless somebody acts.
    pub const FINISHED: &[WorkflowStatus] =
        &[WorkflowStatus::Completed, WorkflowStatus::Failure, WorkflowStatus::Error, WorkflowStatus::Abandoned];

    /// Whether a process owns the task.
    pub fn is_running(self) -> bool {
        WorkflowStatus::RUNNING.contains(&self)
    }

    /// Whether it ended without being done, and could go on.
    pub fn has_failed(self) -> bool {
        WorkflowStatus::FAILED.contains(&self)
    }

    /// Whether nothing happens any more unless somebody acts.
    pub fn is_finished(self) -> bool {
        WorkflowStatus::FINISHED.contains(&self)
    }
}

words! {
    /// The state people see.
    TaskState {
        Scheduled = "SCHEDULED", "Scheduled";
        /// Scheduled a little later only so that it can be called back.
        Held = "HELD", "Held";
        Waiting = "WAITING", "Waiting";
        Retrying = "RETRYING", "Waiting to retry";
        Running = "RUNNING", "Running";
        Done = "DONE", "Done";
        DoneWithProblems = "DONE_WITH_PROBLEMS", "Done with problems";
        Failed = "FAILED", "Failed";
        CouldNotStart = "COULD_NOT_START", "Could not start";
        /// Given up by its owner.
        Cancelled = "CANCELLED", "Cancelled";
        /// Given up by somebody else.
        Abandoned = "ABANDONED", "Closed";
    }
}

words! {
    /// Where a task counts: each state is of one of these, wherever tasks are counted.
    TaskGroup {
        Waiting = "WAITING", "Waiting";
        Running = "RUNNING", "Running";
        ToRetry = "TO_RETRY", "Waiting to retry";
        Failed = "FAILED", "Failed";
        WithProblems = "WITH_PROBLEMS", "With problems";
        Done = "DONE", "Done";
        /// An email that is held is scheduled a little later.
        Scheduled = "SCHEDULED", "Scheduled";
        Closed = "CLOSED", "Cancelled or closed";
    }
}

impl TaskGroup {
    /// The states of those that count here.
    pub fn states(self) -> Vec<TaskState> {
        TaskState::ALL.iter().copied().filter(|state| state.group() == self).collect()
    }
}

impl TaskState {
    /// Where a task in this state counts.
    pub const fn group(self) -> TaskGroup {
        match self {
            TaskState::Scheduled | TaskState::Held => TaskGroup::Scheduled,
            TaskState::Waiting => TaskGroup::Waiting,
            TaskState::Retrying => TaskGroup::ToRetry,
            TaskState::Running => TaskGroup::Running,
            TaskState::Done => TaskGroup::Done,
            TaskState::DoneWithProblems => TaskGroup::WithProblems,
            TaskState::Failed | TaskState::CouldNotStart => TaskGroup::Failed,
            TaskState::Cancelled | TaskState::Abandoned => TaskGroup::Closed,
        }
    }

    /// Those in which nothing happens any more unless somebody acts.
    pub const ENDED: &[TaskState] = &[
        TaskState::Done,
        TaskState::DoneWithProblems,
        TaskState::Failed,
        TaskState::CouldNotStart,
        TaskState::Cancelled,
        TaskState::Abandoned,
    ];

    /// The stored states of tasks that people see in this one.
    pub fn stored(self) -> &'static [WorkflowStatus] {
        match self {
            TaskState::Scheduled | TaskState::Held | TaskState::Waiting | TaskState::Retrying => {
                &[WorkflowStatus::Queued]
            }
            TaskState::Running => WorkflowStatus::RUNNING,
            TaskState::Done | TaskState::DoneWithProblems => &[WorkflowStatus::Completed],
            TaskState::Failed => &[WorkflowStatus::Failure],
            TaskState::CouldNotStart => &[WorkflowStatus::Error],
            TaskState::Cancelled | TaskState::Abandoned => &[WorkflowStatus::Abandoned],
        }
    }
}

/// How far places in line are counted: whoever is further back is said to be at the next one.
pub const IN_LINE: u64 = 1_000;

/// One task as every list, page and live event shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    pub id: TaskId,
    pub kind: String,
    /// What it does: `Set status to Inactive`.
    pub title: String,
    pub status: WorkflowStatus,
    pub state: TaskState,
    /// The state in words, with its number: `Running 62%`, `Done with problems (2 failed)`.
    pub label: String,
    pub owner_id: AccountId,
    pub owner_name: String,
    /// Absent until the people are frozen and nothing was counted before.
    pub total: Option<u64>,
    /// How many were to be acted on when it was confirmed, of what cannot be undone: `total` without those who were to be skipped.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<u64>,
    /// While it runs and its people are still being listed: how many have been.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub listed: Option<u64>,
    pub succeeded: u64,
    pub skipped: u64,
    pub failed: u64,
    pub uncertain: u64,
    // Pages in the browser have no use for these, and so no code to read them.
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub attempt: u32,
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub failures: u32,
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub max_failures: u32,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub created_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub trigger_date: Instant,
    /// When its latest attempt began; once it has ended, when the first of those began that followed each other by themselves.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub started_date: Option<Instant>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub stopped_date: Option<Instant>,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub modified_date: Instant,
    /// Why it was submitted.
    pub reason: Option<String>,
    /// Why it was given up.
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub finish_reason: Option<String>,
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub abandoned_by_name: Option<String>,
    /// One plain line on what went wrong.
    pub trouble: Option<String>,
    /// Place in line while it waits: 1 is next, and 1001 is whoever is not among the first thousand.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub position: Option<u64>,
    /// In one plain line: what it waits for, who cancelled or closed it and why, or what went wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<String>,
    /// Which verbs the viewer has on it now.
    pub can_retry: bool,
    pub can_abandon: bool,
    /// Whether what it changed can be put back.
    pub can_undo: bool,
    /// Whether it can be composed anew.
    pub can_repeat: bool,
}

/// The file that an export has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExportFile {
    pub format: ExportFormat,
    /// People in it.
    pub rows: u64,
    /// In bytes.
    pub size: u64,
    /// Of its content, in hexadecimal.
    pub sha256: String,
    /// Until then it can be downloaded.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub expiry_date: Instant,
}

/// A task that another one came from, or that came from another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskLink {
    pub id: TaskId,
    pub kind: String,
    pub title: String,
    pub state: TaskState,
}

impl TaskRow {
    /// What is so of every task of its kind.
    pub fn description(&self) -> Description {
        Description::of(&self.kind)
    }

    /// How many people it is said to be about: those who were confirmed, or else all of them.
    pub fn people(&self) -> Option<u64> {
        self.expected.or(self.total)
    }

    /// People with an outcome so far.
    pub fn treated(&self) -> u64 {
        self.succeeded + self.skipped + self.failed + self.uncertain
    }

    /// People without an outcome: left while it runs, not reached once it has ended.
    pub fn open(&self) -> u64 {
        self.total.unwrap_or_default().saturating_sub(self.treated())
    }

    /// Whole percent, never 100 before the task is completed.
    pub fn percent(&self) -> u64 {
        percent(self.status, self.treated(), self.total.unwrap_or_default())
    }
}

/// Whole percent of `treated` in `total`: 100 exactly for a completed task, at most 99 for another.
pub fn percent(status: WorkflowStatus, treated: u64, total: u64) -> u64 {
    match status {
        WorkflowStatus::Completed => 100,
        _ if total == 0 => 0,
        _ => (treated.saturating_mul(100) / total).min(99),
    }
}

/// A task with what only its own page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskDetail {
    #[serde(flatten)]
    pub row: TaskRow,
    /// Where it runs now.
    pub process: Option<String>,
    /// What was chosen, as name and value, for the Details list.
    pub facts: Vec<(String, String)>,
    /// How its people were chosen, in so far as that is no filter or narrows one; for its page.
    #[serde(skip)]
    pub chosen: Option<PeopleChosen>,
    /// The filter its people came from, as a query string of the people page, when they came from one.
    pub filter_query: Option<String>,
    /// To whom an ended email can be sent again: outcomes with how many people each.
    #[serde(default)]
    pub can_resend: Vec<OutcomeCount>,
    /// The file that its owner can download, or could.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<ExportFile>,
    /// Why people were skipped or failed, the most frequent first; of a finished task with a ledger that is quickly counted.
    #[serde(default)]
    pub reasons: Vec<ReasonCount>,
    /// Until when a finished task, its ledger and its undo are kept; absent when for ever.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub kept_until: Option<Instant>,
    /// The task whose people it treats again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<TaskLink>,
    /// The tasks that came from it: undone, retried.
    #[serde(default)]
    pub children: Vec<TaskLink>,
    /// What happened, latest first.
    pub timeline: Vec<Event>,
}

/// How the people of a task were chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleChosen {
    /// So many were ticked or named one by one.
    ByHand(u64),
    /// So many were named by their school IDs.
    BySchoolId(u64),
    /// By a filter, and so many were taken out by hand.
    ByFilter { without: u64 },
    /// Those of the task that it came from whose lines have one of these outcomes; all whom it changed for an undo.
    OfTask(Vec<LedgerFilter>),
}

/// How many people of a task have one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeCount {
    pub outcome: Outcome,
    pub count: u64,
}

/// How many people of a task have one outcome for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReasonCount {
    pub outcome: Outcome,
    pub reason: String,
    /// In words, within the action: `already Inactive`.
    pub label: String,
    pub count: u64,
}

/// One entry of a task's timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
    pub kind: EventKind,
    pub text: String,
    pub note: Option<String>,
}

words! {
    /// What sort of entry of the timeline, for its icon.
    EventKind {
        Submitted = "SUBMITTED", "Submitted";
        Started = "STARTED", "Started";
        Interrupted = "INTERRUPTED", "Interrupted";
        Trouble = "TROUBLE", "Trouble";
        Ended = "ENDED", "Ended";
        Stopped = "STOPPED", "Stopped";
    }
}

/// Which tasks are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskQuery {
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    pub scope: TaskScope,
    pub limit: Option<u32>,
    pub after: Option<Cursor>,
}

/// Whose tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum TaskScope {
    #[default]
    Mine,
    /// Those of all staff; managers and administrators only.
    All,
}

/// The answer to a submit: the task's identity and audit columns, nothing of its inside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    pub id: TaskId,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub created_date: Instant,
    pub created_by: AccountId,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub modified_date: Instant,
    pub modified_by: AccountId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_task_is_never_at_100_percent() {
        assert_eq!(percent(WorkflowStatus::Executing, 1_000, 1_000), 99);
        assert_eq!(percent(WorkflowStatus::Executing, 0, 0), 0);
        assert_eq!(percent(WorkflowStatus::Completed, 10, 20), 100);
    }
}
