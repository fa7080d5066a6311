//! `watch`: whom somebody has on their watch list.

use model::{AccountId, Instant, PersonId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "watch")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub watcher_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: PersonId,
    pub watched_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
