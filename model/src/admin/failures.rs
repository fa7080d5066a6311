//! Failures, gathered by their cause.

use serde::{Deserialize, Serialize};

use crate::{Instant, TaskId};

/// What failed since an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Failures {
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub since: Instant,
    /// Those that need somebody first, then the latest.
    pub groups: Vec<FailureGroup>,
    /// Whether there were more failures than are looked at.
    pub more: bool,
    /// People who failed in tasks that went through, by the reason.
    pub people: Vec<PeopleFailed>,
}

/// Failures of one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailureGroup {
    /// What its failures have in common, as letters and digits.
    pub cause: String,
    pub kind: String,
    /// In one plain line.
    pub title: String,
    pub code: String,
    /// The text of the latest.
    pub detail: String,
    /// Attempts, and tasks with such an attempt.
    pub failures: u64,
    pub tasks: u64,
    /// Tasks that ended of it and wait for somebody to act.
    pub dead: u64,
    /// Tasks that will be tried again by themselves.
    pub retrying: u64,
    /// People (or steps) of both who have no outcome yet.
    pub open: u64,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub first_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub last_date: Instant,
    /// Failed attempts in equal parts of the time, oldest first.
    pub history: Vec<u64>,
}

/// People who failed for one reason in tasks that went through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PeopleFailed {
    pub kind: String,
    /// What they have in common: a code, or what is wrong with lines of a file apart from what stood there.
    pub reason: String,
    /// In words.
    pub label: String,
    /// Of lines of a file: some of what stood there.
    pub examples: Vec<String>,
    /// What to ask their results for: the reason where it is the same for all, or what stands for alike ones; for the page.
    #[serde(skip)]
    pub only_reason: Option<String>,
    pub tasks: u64,
    pub people: u64,
    /// The latest of the tasks.
    pub task: TaskId,
    /// All of them, the latest first.
    pub task_ids: Vec<TaskId>,
    /// When the first and the last of them ended.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub first_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub last_date: Instant,
    /// People in equal parts of the time, by when their task ended, oldest first.
    pub history: Vec<u64>,
}
