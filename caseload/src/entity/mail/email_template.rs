//! `email_template`: emails that somebody keeps, each under a name.

use model::{AccountId, Instant, TemplateId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_template")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TemplateId,
    pub owner_id: AccountId,
    pub name: String,
    pub subject: String,
    pub body: String,
    pub created_date: Instant,
    /// Whether it was a draft that another one took the place of.
    pub put_aside: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
