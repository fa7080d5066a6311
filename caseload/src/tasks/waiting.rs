//! Why a task is not running, in words for whoever waits for it.

use model::{TaskRow, TaskState, counted, grouped, task::IN_LINE};
use queue::{Blocker, ClaimConditions, Task};

use crate::{Caseload, Result};

/// How a task waits, by one look, so that its place in line and its reasons say the same.
#[derive(Default)]
pub(crate) struct Wait {
    /// Its place, unless it is passed over: then the line says nothing of when it starts.
    pub place: Option<u64>,
    /// What it waits for, most decisive first.
    pub why: Vec<String>,
}

/// Says of those rows that wait how, each of its task.
pub(crate) async fn add_waits(caseload: &Caseload, rows: &mut [TaskRow], tasks: &[Task]) -> Result<Vec<Wait>> {
    let waiting = rows.iter_mut().zip(tasks).filter(|(row, _)| row.state == TaskState::Waiting);
    let (rows, tasks): (Vec<_>, Vec<_>) = waiting.unzip();
    let conditions = caseload.queue().claim_conditions(&tasks).await?;
    let mut waits = Vec::with_capacity(rows.len());
    for (row, conditions) in rows.into_iter().zip(conditions) {
        let Some(conditions) = conditions else { continue };
        let wait = Wait::of(&conditions);
        row.position = wait.place;
        row.line = wait.line();
        waits.push(wait);
    }
    Ok(waits)
}

impl Wait {
    fn of(conditions: &ClaimConditions) -> Wait {
        let blockers = conditions.blockers();
        let moves_up = blockers.iter().all(|blocker| matches!(blocker, Blocker::SlotsFull | Blocker::InLine(_)));
        let place = conditions.place.filter(|_| moves_up);
        Wait { place, why: blockers.iter().filter_map(words).collect() }
    }

    /// In one line: what is before it, or else what it waits for first.
    fn line(&self) -> Option<String> {
        match self.place {
            Some(1) => Some("Next in line".to_owned()),
            Some(place) if place > IN_LINE => Some(format!("Waits for {} or more tasks before it", grouped(IN_LINE))),
            Some(place) => Some(format!("Waits for {} before it", counted(place - 1, "task", "tasks"))),
            None => self.why.first().cloned(),
        }
    }
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
        Blocker::OwnerStopped => {
            "Its owner’s account is disabled. An administrator decides what becomes of it.".to_owned()
        }
        Blocker::UnknownKind => "This version of Docket cannot run tasks of this kind.".to_owned(),
        Blocker::NoLiveProcess => "No process is running tasks right now.".to_owned(),
        Blocker::SlotsFull => "Docket is busy. The next task in line starts when another ends.".to_owned(),
        Blocker::WaitsToRunAlone => {
            "Docket stopped twice while running this task, so it waits until no other task is running.".to_owned()
        }
    })
}
