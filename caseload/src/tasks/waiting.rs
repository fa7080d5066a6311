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
            format!("Limit reached: {limit} running for one person. It can start when one ends.")
        }
        Blocker::KindLimit(limit) => {
            format!("Limit reached: {limit} running of this kind. It can start when one ends.")
        }
        Blocker::KindPaused => "An administrator has paused tasks of this kind.".to_owned(),
        Blocker::UnknownKind => "This version of Docket cannot run tasks of this kind.".to_owned(),
        Blocker::NoLiveProcess => "No process is running tasks right now.".to_owned(),
        Blocker::SlotsFull => "Docket is busy. The next task in line starts when another ends.".to_owned(),
        Blocker::WaitsToRunAlone => {
            "Docket stopped twice while running this task, so it waits until no other task is running.".to_owned()
        }
    })
}
