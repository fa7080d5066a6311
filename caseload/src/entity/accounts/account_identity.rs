//! `account_identity`: as whom a provider knows the owner of an account.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_identity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub issuer: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: String,
    pub person_id: AccountId,
    /// The name of the provider in the settings, when it was linked.
    pub provider: String,
    /// Whether the account is disabled because the provider says that its owner has no role.
    pub role_gone: bool,
    pub created_date: Instant,
    /// When they came by it last.
    pub used_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
