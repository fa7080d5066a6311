//! `account`: who may sign in. Its person is a member of staff.

use model::{AccountId, Instant, Permission, Role, account::PasswordState, preferences::Preferences};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: AccountId,
    /// Folded, so that case does not matter at sign-in.
    pub username: String,
    /// In PHC form, with its own salt and cost.
    pub password_hash: String,
    pub role: Role,
    /// A JSON list of [`Permission`].
    pub permissions: String,
    pub disabled: bool,
    pub session_version: i32,
    pub created_date: Instant,
    pub modified_date: Instant,
    /// [`Preferences`] as JSON.
    pub preferences: String,
    pub password_state: PasswordState,
}

impl Model {
    /// The rights it has; a word this release does not know gives none.
    pub fn permissions(&self) -> Vec<Permission> {
        let words: Vec<String> = serde_json::from_str(&self.permissions).unwrap_or_default();
        words.iter().filter_map(|word| word.parse().ok()).collect()
    }

    /// What its owner chose; the default where this release cannot read it.
    pub fn preferences(&self) -> Preferences {
        serde_json::from_str(&self.preferences).unwrap_or_default()
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
