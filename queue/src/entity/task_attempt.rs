//! `task_attempt`: one row for each claim of a task, closed with its outcome.

use model::{AttemptOutcome, Instant, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "task_attempt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt: i32,
    pub process: String,
    pub started_date: Instant,
    pub stopped_date: Option<Instant>,
    /// Null while it runs; as it is stored, which a newer version may have done.
    pub(crate) outcome: Option<String>,
    pub error_code: Option<String>,
    pub detail: Option<String>,
    /// The task's, in whose order the tasks of a process are listed.
    pub submit_order: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<AttemptOutcome> {
        let stored = self.outcome.as_deref()?;
        Some(stored.parse().unwrap_or(AttemptOutcome::Otherwise))
    }
}
