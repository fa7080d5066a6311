//! `task_failure`: one row for each attempt that something went wrong with, by its cause.

use model::{Instant, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "task_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt: i32,
    pub failed_date: Instant,
    /// What failures of one cause have in common.
    pub fingerprint: String,
    /// The task's.
    pub kind: String,
    /// Whether the task was given up with it.
    #[sea_orm(column_name = "final")]
    pub is_final: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
