//! `directory_member`: who is in a group of the directory.

use model::{AccountId, DirectoryGroupId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "directory_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub group_id: DirectoryGroupId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
