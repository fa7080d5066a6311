//! `export`: the file of an export, and until when it is offered.

use model::{Instant, TaskId, action::ExportFormat};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "export")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    pub path: String,
    pub format: ExportFormat,
    pub row_count: i64,
    pub size: i64,
    pub sha256: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
