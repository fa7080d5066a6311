//! The attempt at a task, and the fence where it has left it. As a condition of a statement and as a question about a row that
//! was read, in one place, so that they cannot differ.

use model::TaskId;
use sea_orm::{
    ColumnTrait, Condition,
    sea_query::{Expr, ExprTrait},
};

use crate::{Task, TaskColumn as Column};

/// How much further the fence may be after a chunk in doubt: it is what it was, or one more if the chunk was committed.
const AFTER_DOUBT: [i64; 2] = [0, 1];

/// A task as an attempt has left it.
#[derive(Clone, Copy, Debug)]
pub struct AttemptAt {
    id: TaskId,
    attempt: i32,
    fence: i64,
}

impl AttemptAt {
    pub fn of(task: &Task) -> AttemptAt {
        AttemptAt { id: task.id, attempt: task.attempt, fence: task.fence }
    }

    /// The condition that it is still so.
    pub fn stands(self) -> Condition {
        self.same_attempt().add(Column::Fence.eq(self.fence))
    }

    /// The condition that it is still so, or with the one chunk more to whose commit there was no answer.
    pub fn stands_after_doubt(self) -> Condition {
        self.same_attempt().add(Expr::col(Column::Fence).sub(self.fence).is_in(AFTER_DOUBT))
    }

    /// What [`AttemptAt::stands_after_doubt`] asks, of a row that was read.
    pub fn is_after_doubt(self, now: &Task) -> bool {
        now.id == self.id && now.attempt == self.attempt && AFTER_DOUBT.contains(&(now.fence - self.fence))
    }

    fn same_attempt(self) -> Condition {
        Condition::all().add(Column::Id.eq(self.id)).add(Column::Attempt.eq(self.attempt))
    }
}
