//! `email_draft`: the email that somebody is writing.

use model::{AccountId, Instant, Revision};
use sea_orm::{QueryTrait, entity::prelude::*, sea_query::DeleteStatement};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_draft")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner_id: AccountId,
    /// What was typed, as JSON.
    pub content: String,
    pub saved_date: Instant,
    pub revision: Revision,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Forgets somebody's draft, if it is still this one.
pub fn discarded(owner: AccountId, seen: Revision) -> DeleteStatement {
    Entity::delete_many().filter(Column::OwnerId.eq(owner)).filter(Column::Revision.eq(seen)).into_query()
}
