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
    /// Absent where nobody is called so, or several are.
    pub coach_id: Option<PersonId>,
    /// Whether a later line names the same person.
    pub superseded: bool,
    /// Where it stands in the file.
    pub line: Option<i64>,
    /// Whom the line names, where that is not one coach.
    pub wanted: Option<String>,
    /// Whether it could be several.
    pub several: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
