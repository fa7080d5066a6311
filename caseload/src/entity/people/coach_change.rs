//! `coach_change`: every change of somebody's coach by a task, so that it can be put back.

use model::{AccountId, Instant, PersonId, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "coach_change")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub person_id: PersonId,
    pub former_coach_id: Option<PersonId>,
    pub coach_id: Option<PersonId>,
    pub changed_date: Instant,
    pub changed_by: AccountId,
    pub task_id: TaskId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
