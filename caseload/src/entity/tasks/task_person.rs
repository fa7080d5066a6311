//! `task_person`: who a task is about, and its ledger at once: one row for each person, with what became of them.

use model::{Instant, Outcome, PersonId, TaskId};
use sea_orm::{Set, entity::prelude::*};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "task_person")]
pub struct Model {
    /// Of a preview its token, which becomes the id of its task.
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    /// From 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    /// Absent where nobody was found.
    pub person_id: Option<PersonId>,
    /// What was given for them, where it is not their id.
    pub given: Option<String>,
    /// Absent until the task has come to them.
    pub outcome: Option<Outcome>,
    pub reason: Option<String>,
    pub before_value: Option<String>,
    pub after_value: Option<String>,
    pub outcome_date: Option<Instant>,
    /// Since when it was as it was before, for an undo.
    pub former_date: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl ActiveModel {
    /// Somebody to whom the task has not come yet.
    pub fn meant(task_id: TaskId, position: i64, person_id: Option<PersonId>, given: Option<String>) -> ActiveModel {
        ActiveModel {
            task_id: Set(task_id),
            position: Set(position),
            person_id: Set(person_id),
            given: Set(given),
            ..Default::default()
        }
    }
}
