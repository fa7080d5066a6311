//! `passkey`: a device, or what keeps keys for several, by which the owner of an account shows who they are.

use model::{AccountId, Instant, PasskeyId};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: PasskeyId,
    pub person_id: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// By what the device knows it, in base64url.
    #[sea_orm(unique)]
    pub credential_id: String,
    /// What its signatures are checked with, in base64url.
    pub public_key: String,
    /// What the device said of itself last, its counter among it, in base64url.
    pub device_state: String,
    /// How browsers reach the device, a bit for each way.
    pub transports: i32,
    /// Whether the device keeps it so that it can be found without a username, and made sure of its owner when it was added.
    pub signs_in_alone: bool,
    pub created_date: Instant,
    pub used_date: Option<Instant>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
