//! A task with what only its own page shows.

use serde::{Deserialize, Serialize};

use super::{row::TaskRow, state::TaskState};
use crate::{Instant, Outcome, TaskId, action::ExportFormat, enum_words::words, ledger::LedgerFilter};

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
    /// The other task that this is about.
    #[serde(default, rename = "taskId", skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
}

impl Event {
    /// What is said of an attempt that failed and is not the last one.
    pub const TO_RETRY: &str = "Failed; it will be retried";
}

words! {
    /// What sort of entry of the timeline, for its icon.
    EventKind {
        Submitted = "SUBMITTED", "Submitted";
        Started = "STARTED", "Started";
        Interrupted = "INTERRUPTED", "Interrupted";
        Trouble = "TROUBLE", "Trouble";
        Ended = "ENDED", "Ended";
        Undone = "UNDONE", "Undone";
        Stopped = "STOPPED", "Stopped";
        Moved = "MOVED", "Moved";
    }
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
