//! `prepared_import`: files that were uploaded and are not imported yet. The id becomes that of the task.

use model::{AccountId, Instant, MatchingId, TaskId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "prepared_import")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TaskId,
    pub owner_id: AccountId,
    /// What it was called where it came from.
    pub file: String,
    pub line_count: i64,
    /// In bytes.
    pub size: i64,
    /// The hash of each block of the file, as JSON.
    pub blocks: String,
    /// A [`crate::import::prepare::profile::Profile`] as JSON.
    pub profile: String,
    /// A [`crate::import::prepare::matching::Matching`] as JSON.
    pub matching: String,
    /// The matching of a name that it began with.
    pub begun_with: Option<MatchingId>,
    /// A [`crate::import::prepare::count::CountedImport`] as JSON.
    pub counted: Option<String>,
    pub created_date: Instant,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
