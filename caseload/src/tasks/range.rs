//! Which lines of a ledger a chunk treats.

use crate::binds::Binds;
use model::TaskId;

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
    /// The people of the range who are changed, as a statement that gives `person_id`.
    pub fn done(&self, binds: &mut Binds) -> String {
        let (task, after, to) = (binds.add(self.task_id), binds.add(self.after), binds.add(self.to));
        format!(
            "SELECT person_id FROM task_person
             WHERE task_id = {task} AND position > {after} AND position <= {to} AND outcome = 'DONE'"
        )
    }
}
