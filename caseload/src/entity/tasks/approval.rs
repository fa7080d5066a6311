//! `approval`: what a second person is asked of a task, with its numbers as they were, and what they decided. Whether it still waits says the
//! state of the task alone.

use model::{AccountId, Instant, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    pub asked_by: AccountId,
    pub asked_date: Instant,
    pub expiry_date: Instant,
    /// The number of people above which it was asked for; absent where it was for the kind.
    pub above: Option<i64>,
    /// When it is to start, if not as soon as it is approved.
    pub start_date: Option<Instant>,
    pub total: i64,
    /// How many were to be acted on.
    pub will_change: i64,
    /// How many were to be skipped for each reason, as JSON.
    pub skipped: String,
    /// Absent while nobody has decided.
    pub decision: Option<Decision>,
    /// Absent where it expired.
    pub decided_by: Option<AccountId>,
    pub decided_date: Option<Instant>,
    pub note: Option<String>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Decision {
    #[sea_orm(string_value = "APPROVED")]
    Approved,
    #[sea_orm(string_value = "DECLINED")]
    Declined,
    #[sea_orm(string_value = "EXPIRED")]
    Expired,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
