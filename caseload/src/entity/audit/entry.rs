//! `audit`: who did what to which, when and by what they were known. Only ever added to.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub audit_date: Instant,
    pub actor_id: Option<AccountId>,
    pub action: String,
    pub object_kind: String,
    pub object_id: Option<String>,
    /// As JSON.
    pub detail: String,
    pub credential: String,
    pub source: Option<String>,
    pub times: i64,
    /// Of what is counted together: the minute and the place.
    pub burst: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
