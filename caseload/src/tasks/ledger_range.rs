//! Which lines of a ledger a chunk treats.

use model::TaskId;
use sea_orm::sea_query::Expr;

use crate::statement::sql;

/// The positions that a chunk treats: after `after`, up to and with `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub task_id: TaskId,
    pub after: i64,
    pub to: i64,
    /// How many people the task has.
    pub total: i64,
}

impl Range {
    /// The range in two, unless it is one person.
    pub fn halves(self) -> Option<(Range, Range)> {
        let middle = self.after + (self.to - self.after) / 2;
        (middle > self.after).then_some((Range { to: middle, ..self }, Range { after: middle, ..self }))
    }

    /// The people of the range who are changed, as a statement that gives `person_id`.
    pub fn done(&self) -> Expr {
        sql(
            "SELECT person_id FROM task_person
             WHERE task_id = $1 AND position > $2 AND position <= $3 AND outcome = 'DONE'",
            [self.task_id.into(), self.after.into(), self.to.into()],
        )
    }
}
