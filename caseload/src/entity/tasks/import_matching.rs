//! `import_matching`: how columns of files are matched to fields, each kept under a name by whoever imports.

use model::{AccountId, Instant, MatchingId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_matching")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MatchingId,
    pub owner_id: AccountId,
    pub name: String,
    /// A [`crate::import::prepare::matching::Matching`] as JSON.
    pub content: String,
    pub used_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
