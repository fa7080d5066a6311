//! What every page and verb of administrators begins with.

use model::{Problem, Total, note::Reason};

use crate::{Actor, Result, caseload::Admin};

/// Refuses whoever is no administrator.
pub(super) fn administering(actor: &Actor) -> Result<()> {
    actor.administers()
}

impl Admin<'_> {
    /// Refuses whoever is no administrator, before they are asked for anything.
    pub fn require_administrator(self, actor: &Actor) -> Result<()> {
        administering(actor)
    }
}

/// The reason of an administrator.
pub(super) fn reasoned(actor: &Actor, reason: &str) -> Result<Reason> {
    administering(actor)?;
    Ok(Reason::required(Some(reason), "Enter a reason.")?)
}

/// A count that ended at the queue's limit.
pub(super) fn counted(value: u64) -> Total {
    Total::upto(queue::COUNTED, value)
}

/// A value that there is not.
pub fn unknown(field: &str, value: &str, noun: &str) -> Problem {
    Problem::field(field, "unknown", format!("There is no {noun} {}.", model::enum_words::quoted(value)))
}
