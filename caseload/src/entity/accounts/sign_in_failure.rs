//! `sign_in_failure`: failed sign-ins, counted for an account, a place, or both.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sign_in_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub failures: i64,
    pub since_date: Instant,
    /// How long the next one has to wait.
    pub until_date: Instant,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
