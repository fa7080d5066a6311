//! `schedule_fire`: one row for each fire of a schedule, by the instant for which it was planned.

use model::{Instant, admin::FireOutcome};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "schedule_fire")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub schedule: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub planned_date: Instant,
    pub fired_date: Instant,
    pub stopped_date: Option<Instant>,
    pub process: String,
    pub outcome: Option<FireOutcome>,
    pub detail: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
