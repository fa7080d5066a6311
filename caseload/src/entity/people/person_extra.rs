//! `person_extra`: what an import keeps of people beyond the columns, a row for each field, so that lists can be narrowed by it.

use model::PersonId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "person_extra")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: PersonId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub value: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
