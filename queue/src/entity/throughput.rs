//! `throughput`: what ended in a minute, or in an hour, of each kind.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "throughput")]
pub struct Model {
    /// The seconds of the span: a minute or an hour.
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub start_date: Instant,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    pub done: i64,
    pub problems: i64,
    pub failed: i64,
    pub abandoned: i64,
    pub people: i64,
    /// A histogram, as JSON.
    pub waits: String,
    /// A histogram, as JSON.
    pub runs: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
