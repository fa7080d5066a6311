//! `access_token`: what programs sign in with. Only the hash is kept.

use model::{AccessTokenId, AccountId, Instant, account::TokenScope};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "access_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: AccessTokenId,
    pub person_id: AccountId,
    /// SHA-256 in hexadecimal: the token itself is random enough to need no slow hash.
    pub token_hash: String,
    /// What it is for.
    pub name: String,
    pub created_date: Instant,
    pub revoked_date: Option<Instant>,
    /// How far it goes.
    pub scope: TokenScope,
    pub expiry_date: Instant,
    /// When a program came with it last, as of the minute, and from which address.
    pub used_date: Option<Instant>,
    pub used_from: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
