//! Why a task is not running, in words for whoever waits for it.

use queue::{Blocker, Task};

use crate::{Caseload, Result};

impl Caseload {
    /// What a queued task waits for, most decisive first. Its date and its place in line are said elsewhere.
    pub(crate) async fn waits_for(&self, task: &Task) -> Result<Vec<String>> {
        Ok(self.queue().blockers(task).await?.iter().filter_map(words).collect())
    }
}

fn words(blocker: &Blocker) -> Option<String> {
    Some(match blocker {
        Blocker::NotDueUntil(_) | Blocker::InLine(_) => return None,
        Blocker::OwnerLimit(limit) => {
            format!("{limit} tasks of one person run at a time; it starts when one of them ends.")
        }
        Blocker::KindLimit(limit) => {
            format!("{limit} tasks of its kind run at a time; it starts when one of them ends.")
        }
        Blocker::KindPaused => "An administrator has paused tasks of this kind.".to_owned(),
        Blocker::UnknownKind => "This version of Docket does not know tasks of this kind.".to_owned(),
        Blocker::NoLiveProcess => "Nothing is running tasks just now.".to_owned(),
        Blocker::SlotsFull => "Every slot is taken; it starts when one is free.".to_owned(),
        Blocker::WaitsToRunAlone => {
            "Docket stopped twice while it was working on it, so it waits until it can run by itself.".to_owned()
        }
    })
}
