//! Accounts of staff as administrators see them.

use serde::{Deserialize, Serialize};

use crate::{AccountId, Instant, Permission, Role, Total, account::Token};

/// One account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserRow {
    pub person_id: AccountId,
    pub username: String,
    pub name: String,
    /// By which imported files name them as coach.
    pub school_id: String,
    pub role: Role,
    pub permissions: Vec<Permission>,
    pub disabled: bool,
    /// Whether its password was made for it, and its owner has yet to choose one.
    pub awaits_password: bool,
    pub created_date: Instant,
    /// When somebody last signed in with it; absent when nobody has.
    pub last_sign_in: Option<Instant>,
    /// Its tasks that are not over.
    pub open_tasks: Total,
    /// Its access tokens that are not revoked.
    pub tokens: Vec<Token>,
}

/// An account to be, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountForm {
    pub username: String,
    pub name: String,
    pub role: String,
    pub school_id: String,
    pub address: String,
}
