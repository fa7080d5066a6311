//! `preview`: what somebody was shown before submitting, under its token, which becomes the id of the task.

use model::{AccountId, Instant, PreviewToken};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "preview")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: PreviewToken,
    pub owner_id: AccountId,
    /// A [`crate::submit::preview::record::PreviewRecord`] as JSON.
    pub content: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
