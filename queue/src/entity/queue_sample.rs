//! `queue_sample`: how the queue was in a minute, or at its worst in an hour.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "queue_sample")]
pub struct Model {
    /// The seconds of the span: a minute or an hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub start_date: Instant,
    pub waiting: i64,
    pub running: i64,
    pub retrying: i64,
    pub stalled: i64,
    pub oldest_seconds: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
