//! Who may do what, in words. Whose people somebody reaches is decided in `caseload::access`.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::text::words;

words! {
    /// What a member of staff is to Docket; it sets their reach (product.md, Permissions).
    Role {
        /// Reaches the people whose coach they are.
        Coach = "coach", "Coach";
        /// Reaches everyone and reads all staff tasks.
        Manager = "manager", "Manager";
        /// A manager who also runs the queue, the users and the audit.
        Administrator = "administrator", "Administrator";
    }
}

impl Role {
    /// Whether the role reaches every person rather than a caseload.
    pub fn reaches_everyone(self) -> bool {
        !matches!(self, Role::Coach)
    }

    /// Whether the role may read the tasks of other staff.
    pub fn reads_all_tasks(self) -> bool {
        !matches!(self, Role::Coach)
    }
}

words! {
    /// A right that each bulk action asks for, on top of reach; checked at submit and again for every chunk.
    Permission {
        ProgramStatus = "program_status", "Change program status";
        Watch = "watch", "Watch people";
        Export = "export", "Export people";
        EarlyAlert = "early_alert", "Raise early alerts";
        ReassignCoach = "reassign_coach", "Reassign coaches";
        Email = "email", "Write emails";
    }
}

impl Permission {
    /// What a new account of a role has.
    pub fn usual(role: Role) -> Vec<Permission> {
        let all = Permission::ALL.iter().copied();
        // Coaches would give away whom they look after, and not get them back.
        all.filter(|permission| role.reaches_everyone() || *permission != Permission::ReassignCoach).collect()
    }
}

/// The signed-in member of staff, as the pages and `GET /api/1/me` show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Me {
    pub person_id: Uuid,
    pub username: String,
    pub name: String,
    pub role: Role,
    pub permissions: Vec<Permission>,
}

/// An access token of a program, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    pub id: Uuid,
    /// What it is for; absent when an administrator made it by command.
    pub name: Option<String>,
    pub created_date: crate::Instant,
}

/// A place where somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// `Firefox on Linux`; absent when the browser did not say.
    pub device: Option<String>,
    pub created_date: crate::Instant,
    /// Whether it is the one that asks.
    pub current: bool,
}

impl Me {
    /// The one or two letters of the avatar.
    pub fn initials(&self) -> String {
        let mut words = self.name.split_whitespace().filter_map(|word| word.chars().next());
        let first = words.next();
        first.into_iter().chain(words.next_back()).flat_map(char::to_uppercase).collect()
    }
}
