//! `task_verb`: what somebody did to a task, for those whose it is. No two of one task are of the same instant.

use model::{AccountId, Instant, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "task_verb")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub verb_date: Instant,
    pub actor_id: AccountId,
    pub verb: String,
    pub reason: Option<String>,
    pub audit_id: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
