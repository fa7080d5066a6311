//! `directory_token`: by what the directory of the institution is known. Only the hash is kept.

use model::{DirectoryTokenId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "directory_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DirectoryTokenId,
    /// What it is for.
    pub name: String,
    /// SHA-256 in hexadecimal: the token itself is random enough to need no slow hash.
    pub token_hash: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
    pub revoked_date: Option<Instant>,
    /// When the directory came with it last, as of the minute, and from which address.
    pub used_date: Option<Instant>,
    pub used_from: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
