//! `program_status_history`: the periods of people's program status; of each person one is open.

use model::{AccountId, ChangeReason, Instant, PersonId, ProgramStatus, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "program_status_history")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub person_id: PersonId,
    pub program_status: ProgramStatus,
    pub change_reason: Option<ChangeReason>,
    pub comment: Option<String>,
    pub effective_date: Instant,
    /// Absent while it is open.
    pub expiration_date: Option<Instant>,
    pub created_by: AccountId,
    pub task_id: Option<TaskId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
