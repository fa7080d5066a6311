//! `authenticator_app`: the app whose codes the owner of an account shows beside their password.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "authenticator_app")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    /// The key that the app has, sealed.
    pub sealed_key: String,
    /// Of which half minute the last code was that was taken. None of then or before counts any more.
    pub last_step: i64,
    pub created_date: Instant,
    pub used_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
