//! `coach_wish`: the coach whom each line of an uploaded list names.

use model::{PersonId, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "coach_wish")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    /// That of the line in the ledger.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    /// Absent where nobody is called so.
    pub coach_id: Option<PersonId>,
    /// Whether a later line names the same person.
    pub superseded: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
