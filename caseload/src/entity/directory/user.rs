//! `directory_user`: what the directory says of the owner of an account.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "directory_user")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    /// As the directory writes it.
    pub user_name: String,
    /// The same in small letters.
    pub name_key: String,
    /// The directory's own id.
    pub external_id: Option<String>,
    pub given_name: Option<String>,
    pub family_name: Option<String>,
    pub display_name: Option<String>,
    pub email: Option<String>,
    /// Whether the directory wants them let in.
    pub active: bool,
    /// Whether the account is disabled because the directory says so; one that somebody else has disabled stays so.
    pub shut: bool,
    /// Whether the directory has deleted them. The account stays, with all that its owner did.
    pub gone: bool,
    /// Grows with each change.
    pub version: i64,
    pub created_date: Instant,
    pub modified_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
