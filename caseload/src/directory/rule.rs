//! What whoever runs Docket has set of the directory: whose accounts become its own, and which groups make which role.

use model::{Role, account::LinkBy};

use crate::provided::ProvidedRole;

/// What the directory may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryRule {
    /// By what an account that is there becomes that of a user whom the directory adds.
    pub link_by: LinkBy,
    /// The role of a new account, until a group says another.
    pub new_role: Role,
    /// The groups that make each role, from the highest on; all empty where roles are given in Docket.
    pub roles: Vec<(Role, Vec<String>)>,
    pub bounds: DirectoryBounds,
}

impl Default for DirectoryRule {
    fn default() -> DirectoryRule {
        DirectoryRule {
            link_by: LinkBy::Username,
            new_role: Role::Coach,
            roles: Vec::new(),
            bounds: DirectoryBounds::default(),
        }
    }
}

impl DirectoryRule {
    /// Whether a group of this name makes a role.
    pub(super) fn is_of_a_role(&self, group: &str) -> bool {
        self.roles.iter().any(|(_, by)| by.iter().any(|name| name == group))
    }

    /// The highest role that one of somebody's groups makes, to the letter.
    pub(super) fn role_of(&self, groups: &[String]) -> ProvidedRole {
        if self.roles.iter().all(|(_, by)| by.is_empty()) {
            return ProvidedRole::GivenHere;
        }
        let made = self.roles.iter().find(|(_, by)| by.iter().any(|group| groups.contains(group)));
        made.map_or(ProvidedRole::Missing, |(role, _)| ProvidedRole::Given(*role))
    }
}

/// How much the directory may have and send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryBounds {
    /// Users, those that it has deleted among them.
    pub users: u32,
    pub groups: u32,
    /// Users in one group.
    pub members: u32,
    /// Users or groups in one answer.
    pub page: u32,
    /// Changes in one request.
    pub operations: u32,
    /// The length of a request, in KiB.
    pub body: u32,
    /// The length of a filter, in bytes.
    pub filter: u32,
}

impl Default for DirectoryBounds {
    fn default() -> DirectoryBounds {
        DirectoryBounds {
            users: 10_000,
            groups: 500,
            members: 10_000,
            page: 200,
            operations: 100,
            body: 1_024,
            filter: 500,
        }
    }
}
