//! `session`: one row for each browser that is signed in, or on its way to be.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    /// A hash of what the cookie says.
    pub id: String,
    pub person_id: Option<AccountId>,
    pub session_version: Option<i32>,
    /// As JSON.
    pub data: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
    /// Of the provider that opened it, as it says them.
    pub issuer: Option<String>,
    pub subject: Option<String>,
    pub provider_session: Option<String>,
    /// Until when the provider's word holds that its owner may stay; beyond it the session is none.
    pub vouched_until: Option<Instant>,
    /// Beyond this it is not kept, however much it is used.
    pub absolute_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
