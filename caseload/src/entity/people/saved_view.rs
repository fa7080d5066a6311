//! `saved_view`: searches of the people page that somebody keeps, each under a name.

use model::{AccountId, Instant, ViewId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "saved_view")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ViewId,
    pub owner_id: AccountId,
    pub name: String,
    /// As the address of the page says it.
    pub query: String,
    /// Whether colleagues find it, too.
    pub shared: bool,
    pub created_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
