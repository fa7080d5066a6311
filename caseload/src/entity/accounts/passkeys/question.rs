//! `passkey_question`: what a device was asked to sign, for the browser that has the secret. It is answered once, or runs out.

use model::{AccountId, Instant};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey_question")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub secret_hash: String,
    /// What the answer is for.
    pub purpose: String,
    /// Who was asked; nothing where nobody has said who they are.
    pub person_id: Option<AccountId>,
    /// What the answer is compared with, in base64url.
    pub state: String,
    pub expiry_date: Instant,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
