//! One task as administrators see it.

use serde::{Deserialize, Serialize};

use crate::{
    AttemptOutcome, Instant, TaskRow,
    tasks::task::{Event, ReasonCount, TaskLink},
};

/// A task in the list of administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdminTaskRow {
    #[serde(flatten)]
    pub row: TaskRow,
    /// With which process it is.
    pub process: Option<String>,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: bool,
    /// The last error, without addresses.
    pub workflow_status_desc: Option<String>,
}

/// One task with all that administrators see of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdminTask {
    #[serde(flatten)]
    pub task: AdminTaskRow,
    /// What was asked for; people's data is hidden unless it was asked for.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub execution_spec: Option<serde_json::Value>,
    /// Whether something in it is hidden.
    pub redacted: bool,
    /// The bookmark.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub execution_state: serde_json::Value,
    pub run_as_name: String,
    pub priority: i32,
    pub crashes: u32,
    pub rescued: bool,
    /// Latest first.
    pub attempts: Vec<AttemptInfo>,
    /// Of a task that waits: what keeps it, and what does not.
    pub standing: Vec<Check>,
    pub lease: Lease,
    /// Of a task that is done: why people, or steps, failed, most first. Of a very large one nothing.
    pub reasons: Vec<ReasonCount>,
    /// The cause of its last failure, and how many tasks have ended of it within a week and wait for somebody.
    pub cause: Option<String>,
    pub same_cause: u64,
    pub parent: Option<TaskLink>,
    pub children: Vec<TaskLink>,
    /// What happened, latest first.
    pub timeline: Vec<Event>,
    /// Whether its kind is paused.
    pub kind_paused: bool,
    /// Whether it can be tried again now: a failed one, or one that waits to be tried again.
    pub can_retry: bool,
    pub can_abandon: bool,
    /// Whether it is stalled, and can be put back into the queue at once.
    pub can_put_back: bool,
}

/// One attempt at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttemptInfo {
    pub attempt: u32,
    pub process: String,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub started_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub stopped_date: Option<Instant>,
    /// Absent while it runs.
    pub outcome: Option<AttemptOutcome>,
    /// The same in words.
    pub label: String,
    pub error_code: Option<String>,
    /// The whole error, without addresses.
    pub detail: Option<String>,
}

/// One thing that decides whether a task may run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Whether it keeps the task from running.
    pub blocks: bool,
    /// For programs: `not_due`, `kind_paused`, …
    pub code: String,
    pub text: String,
    /// An instant that the text speaks of and the page writes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub at: Option<Instant>,
}

/// Who has a task, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// The process that has it.
    pub holder: Option<String>,
    /// Whether that process is up.
    pub holder_lives: bool,
    /// How long ago it last said that it lives, in milliseconds.
    pub heartbeat_age_ms: Option<u64>,
    /// The process of the last attempt.
    pub last_holder: Option<String>,
    /// When the running attempt is taken away unless it commits something.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub deadline: Option<Instant>,
    /// How long an attempt may go without committing anything, in seconds.
    pub deadline_seconds: u64,
    /// The number of the attempt: what writes with another one is turned away.
    pub fence: u32,
}
