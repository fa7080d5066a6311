//! Why a task is not running, in words for whoever waits for it.

use queue::{Blocker, Task};

use crate::{Caseload, Result};

/// How a task waits, by one look, so that its place in line and its reasons say the same.
#[derive(Default)]
pub(crate) struct Wait {
    /// Its place, unless it is passed over: then the line says nothing of when it starts.
    pub place: Option<u64>,
    /// What it waits for, most decisive first.
    pub why: Vec<String>,
}

/// How a task waits that is due.
pub(crate) async fn wait_of(caseload: &Caseload, task: &Task) -> Result<Wait> {
    let Some(conditions) = caseload.queue().claim_conditions(task).await? else { return Ok(Wait::default()) };
    let blockers = conditions.blockers();
    let moves_up = blockers.iter().all(|blocker| matches!(blocker, Blocker::SlotsFull | Blocker::InLine(_)));
    Ok(Wait { place: conditions.place.filter(|_| moves_up), why: blockers.iter().filter_map(words).collect() })
}

fn words(blocker: &Blocker) -> Option<String> {
    Some(match blocker {
        // Its date and its place are said elsewhere.
        Blocker::NotDueUntil(_) | Blocker::InLine(_) => return None,
        Blocker::OwnerLimit(limit) => {
            format!("{limit} tasks of one person run at a time; it can start when one of them ends.")
        }
        Blocker::KindLimit(limit) => {
            format!("{limit} tasks of its kind run at a time; it can start when one of them ends.")
        }
        Blocker::KindPaused => "An administrator has paused tasks of this kind.".to_owned(),
        Blocker::UnknownKind => "This version of Docket does not know tasks of this kind.".to_owned(),
        Blocker::NoLiveProcess => "Nothing is running tasks just now.".to_owned(),
        Blocker::SlotsFull => "Every slot is taken; the next in line starts when one is free.".to_owned(),
        Blocker::WaitsToRunAlone => {
            "Docket stopped twice while it was working on it, so it waits until it can run by itself.".to_owned()
        }
    })
}
