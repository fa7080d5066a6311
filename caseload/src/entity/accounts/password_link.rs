//! `password_link`: the link by which somebody chooses a password, until it is used or has ended.

use model::{AccountId, Instant, PasswordLinkId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_link")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    /// What the email is known by that carries it.
    pub id: PasswordLinkId,
    pub purpose: LinkPurpose,
    /// Where it goes.
    pub address: String,
    /// Absent until the email has left.
    pub token_hash: Option<String>,
    pub created_date: Instant,
    pub expiry_date: Instant,
}

/// Why somebody gets one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum LinkPurpose {
    /// They have forgotten their password.
    #[sea_orm(string_value = "RESET")]
    Reset,
    /// Their account is new, and nobody knows a password for it.
    #[sea_orm(string_value = "INVITATION")]
    Invitation,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
