//! `access_token`: what programs sign in with. Only the hash is kept.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "access_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub person_id: Uuid,
    /// SHA-256 in hexadecimal: the token itself is random enough to need no slow hash.
    pub token_hash: String,
    /// What it is for.
    pub name: Option<String>,
    pub created_date: Instant,
    pub revoked_date: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
