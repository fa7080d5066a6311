//! `audit_redaction`: that an entry of the audit is about to say less, as the erasing of somebody takes it.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_redaction")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub audit_id: i64,
    pub redacted_date: Instant,
    /// What it says from then on.
    pub detail: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
