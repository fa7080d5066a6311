//! `remembered_browser`: where the owner of an account has asked to be let in without a code for a while.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "remembered_browser")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    /// Of the secret that the browser alone has.
    #[sea_orm(primary_key, auto_increment = false)]
    pub secret_hash: String,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
