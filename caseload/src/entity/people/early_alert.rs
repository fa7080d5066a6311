//! `early_alert`: what was noticed about somebody.

use model::{AccountId, Instant, PersonId, TaskId, action::AlertReason};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "early_alert")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub person_id: PersonId,
    pub alert_reason: AlertReason,
    pub comment: Option<String>,
    pub created_date: Instant,
    pub created_by: AccountId,
    pub task_id: TaskId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
