//! `recovery_code`: one of the codes that open an account once in place of its second factor.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: i32,
    /// In PHC form, with its own salt and cost.
    pub code_hash: String,
    pub created_date: Instant,
    /// When it was used up.
    pub used_date: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
