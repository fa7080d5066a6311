//! `bulk_preview`: what the check of a verb on many tasks saw, under its token.

use model::{AccountId, Instant, OperationToken, admin::BulkVerb};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "bulk_preview")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: OperationToken,
    pub actor_id: AccountId,
    pub created_date: Instant,
    pub verb: BulkVerb,
    /// As JSON.
    pub filter: String,
    /// As JSON.
    pub tasks: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
