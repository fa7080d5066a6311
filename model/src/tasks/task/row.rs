//! A task as lists, pages and live events show it.

use serde::{Deserialize, Serialize};

use super::state::{TaskState, WorkflowStatus};
use crate::{AccountId, Instant, TaskId, tasks::kind::Description};

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
    /// What it did, once it has ended: `Alert raised on 12 people`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<String>,
    /// Which verbs the viewer has on it now.
    pub can_retry: bool,
    pub can_abandon: bool,
    /// Whether what it changed can be put back.
    pub can_undo: bool,
    /// Whether it can be composed anew.
    pub can_repeat: bool,
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
