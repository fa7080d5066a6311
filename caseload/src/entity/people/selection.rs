//! `selection`: what somebody has picked, under its token, for half an hour from its last change.

use model::{AccountId, Instant, SelectionToken};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "selection")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: SelectionToken,
    pub owner_id: AccountId,
    /// A [`model::Selection`] as JSON.
    pub content: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
