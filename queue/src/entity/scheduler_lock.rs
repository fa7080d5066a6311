//! `scheduler_lock`: the locks that all processes share. A row stays when its lock ends.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "scheduler_lock")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub lock_until: Instant,
    pub locked_at: Instant,
    pub locked_by: String,
    pub token: Uuid,
    pub renewed_date: Option<Instant>,
    pub renewals: i32,
    /// For how long it was taken, in seconds.
    pub at_most: f64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
