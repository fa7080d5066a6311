//! `directory_group`: a group of the directory.

use model::{DirectoryGroupId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "directory_group")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DirectoryGroupId,
    pub display_name: String,
    /// The same in small letters; no two groups have the same.
    pub name_key: String,
    /// The directory's own id.
    pub external_id: Option<String>,
    /// Grows with each change.
    pub version: i64,
    pub created_date: Instant,
    pub modified_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
