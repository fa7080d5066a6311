//! `erased`: who was erased while an import waits or runs, so that it does not bring them back.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "erased")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub school_id_hash: String,
    pub erased_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
