//! What is said of a task wherever it stands.

use model::{TaskRow, TaskState};

use crate::components::values::time::span;

/// How long it ran, once it has ended by itself: one that was given up stood still for most of that time.
pub fn took(row: &TaskRow) -> String {
    let given_up = matches!(row.state, TaskState::Abandoned | TaskState::Cancelled | TaskState::Declined);
    match (row.started_date, row.stopped_date) {
        (Some(started), Some(stopped)) if row.status.is_finished() && !given_up => {
            span((stopped - started).num_seconds().unsigned_abs())
        }
        _ => String::new(),
    }
}
