//! Verbs on many tasks at once: what they would do, what was said yes to, and what they did.

use serde::{Deserialize, Serialize};

use crate::{OperationToken, TaskRow, TaskState, Total, enum_words::words};

words! {
    /// What can be done to many tasks at once.
    BulkVerb {
        Retry = "retry", "Retry";
        Abandon = "abandon", "Close";
    }
}

/// What a verb on many tasks would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    pub verb: BulkVerb,
    /// Tasks that it would reach.
    pub will_change: u64,
    /// To be given back with the operation within half an hour: it reaches these tasks and no others.
    pub preview_token: OperationToken,
    /// How many of them are running.
    pub running: u64,
    /// Tasks that match and that it leaves alone, by their state.
    pub left: Vec<StateCount>,
    /// Whether more match than one operation takes; the oldest are taken first.
    pub more: bool,
    /// People, or steps, of those tasks without an outcome.
    pub open: u64,
    /// Some of the tasks that it would reach.
    pub sample: Vec<TaskRow>,
}

/// What somebody said yes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    pub preview_token: OperationToken,
    /// All tasks there are may be meant.
    pub everything: bool,
}

/// What a verb on many tasks has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BulkDone {
    /// Tasks that it changed.
    pub changed: u64,
    /// Tasks that the preview counted and that others, or the queue, had changed since: they are left as they are.
    pub left: u64,
}

/// How many tasks are in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StateCount {
    pub state: TaskState,
    pub count: Total,
}
