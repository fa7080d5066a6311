//! Who may import people.

use model::Role;

use crate::{Actor, Result, caseload::Imports};

impl Imports<'_> {
    /// Refuses whoever may not import, before a large file is read for nothing.
    pub fn may_import(self, actor: &Actor) -> Result<()> {
        match actor.role {
            Role::Administrator => Ok(()),
            _ => Err(actor.forbidden("Only administrators can import people.")),
        }
    }
}
