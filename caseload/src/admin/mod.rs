//! What administrators see and do: the queue's health, any task, failures by their cause, processes, kinds, locks, schedules,
//! the audit trail and the accounts. Whatever is done here needs a reason and leaves one entry in the audit, written with it.

mod asked;
mod attention;
mod audit;
mod bulk;
mod disk;
mod failures;
mod frozen;
mod health;
mod machinery;
mod redact;
mod task;
mod tasks;
mod users;
pub(crate) mod verbs;

use model::{Problem, Total, note::checked_note};

use crate::{Actor, Caseload, Result};

pub(crate) use asked::unknown;
pub use health::Health;
pub use users::{Issued, NewUser};

/// Refuses whoever is no administrator.
fn administering(actor: &Actor) -> Result<()> {
    actor.administers()
}

impl Caseload {
    /// Refuses whoever is no administrator, before they are asked for anything.
    pub fn require_administrator(&self, actor: &Actor) -> Result<()> {
        administering(actor)
    }
}

/// The reason of an administrator.
fn reasoned(actor: &Actor, reason: &str) -> Result<String> {
    administering(actor)?;
    let reason = checked_note("reason", Some(reason))?;
    reason.ok_or_else(|| Problem::field("reason", "required", "Say why.").into())
}

/// A count that ended at the queue's limit.
fn counted(value: u64) -> Total {
    Total::upto(queue::COUNTED, value)
}
