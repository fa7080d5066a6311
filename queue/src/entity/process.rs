//! `process`: one row for each running server that works on tasks.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "process")]
pub struct Model {
    /// `<system_id>-<start>-<random>`: new at each start.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub system_id: String,
    pub host: String,
    pub version: String,
    pub started_date: Instant,
    pub heartbeat_date: Instant,
    pub slots: i32,
    pub busy: i32,
    pub stopping: bool,
    /// The key of the session advisory lock that the process holds on PostgreSQL: when it is free, the process is gone.
    pub presence: Option<i64>,
    /// The kinds that it can run, as a JSON list.
    pub kinds: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
