//! `stopped_owner`: those of whose tasks nothing is claimed until somebody decides what becomes of them.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stopped_owner")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner_id: AccountId,
    pub stopped_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
