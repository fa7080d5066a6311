//! Why a task is not running, computed from the same rules as the claim.

use std::collections::BTreeMap;

use model::{Instant, WorkflowStatus};

use crate::{
    Queue, Result, Task,
    claim::capacity::{Room, Share},
    inspect::health::{Paused, ProcessRow, ProcessState},
};

/// One thing that keeps a task from being claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocker {
    NotDueUntil(Instant),
    /// Its owner has as many running as one owner may.
    OwnerLimit(u32),
    /// As many of its kind run as may.
    KindLimit(u32),
    /// Somebody has paused its kind.
    KindPaused,
    /// Nothing of its owner's may start.
    OwnerStopped,
    /// No process that is up knows the kind.
    UnknownKind,
    /// No process is there to claim it.
    NoLiveProcess,
    /// Every slot of the processes that know the kind is taken.
    SlotsFull,
    /// Two processes died at it, so it waits for one that has nothing else to do.
    WaitsToRunAlone,
    /// So many tasks are before it.
    InLine(u64),
}

/// Where a queued task stands: what the claim would look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimConditions {
    pub due: bool,
    pub trigger_date: Instant,
    /// Slots of the processes that are up, and tasks in them.
    pub slots: u64,
    pub busy: u64,
    /// Processes that are up, and those of them that know the kind.
    pub processes: u64,
    pub known_by: u64,
    /// Slots of those that know the kind, and how many of these are free.
    pub able: u64,
    pub free: u64,
    /// Whether one that knows the kind has a free slot, and whether one has nothing else to do.
    pub has_slot: bool,
    pub has_idle: bool,
    pub paused: Option<Paused>,
    /// Nothing of its owner's may start.
    pub stopped: bool,
    /// Absent for a kind that does not count toward its owner.
    pub of_owner: Option<Share>,
    /// Absent for a kind without a limit.
    pub of_kind: Option<Share>,
    /// Two processes died at it, so that it has to run alone.
    pub alone: bool,
    /// Its place among those that are due: 1 is next.
    pub place: Option<u64>,
}

impl ClaimConditions {
    /// Whether every slot is taken of the processes that could run it.
    pub fn waits_for_a_slot(&self) -> bool {
        self.known_by > 0 && !self.has_slot
    }

    /// Whether it has to run alone, and no process that could run it has nothing else to do.
    pub fn waits_to_run_alone(&self) -> bool {
        self.alone && self.known_by > 0 && !self.has_idle
    }

    /// What keeps it from running, most decisive first.
    pub fn blockers(&self) -> Vec<Blocker> {
        let mut blockers = Vec::new();
        if !self.due {
            blockers.push(Blocker::NotDueUntil(self.trigger_date));
        }
        if self.stopped {
            blockers.push(Blocker::OwnerStopped);
        }
        if self.processes == 0 {
            blockers.push(Blocker::NoLiveProcess);
        } else if self.known_by == 0 {
            blockers.push(Blocker::UnknownKind);
        }
        if self.paused.is_some() {
            blockers.push(Blocker::KindPaused);
        }
        if self.waits_for_a_slot() {
            blockers.push(Blocker::SlotsFull);
        }
        if let Some(share) = self.of_owner.filter(|share| share.left() == 0) {
            blockers.push(Blocker::OwnerLimit(share.most));
        }
        if let Some(share) = self.of_kind.filter(|share| share.left() == 0) {
            blockers.push(Blocker::KindLimit(share.most));
        }
        if self.waits_to_run_alone() {
            blockers.push(Blocker::WaitsToRunAlone);
        }
        if let Some(place @ 2..) = self.place {
            blockers.push(Blocker::InLine(place - 1));
        }
        blockers
    }
}

impl Queue {
    /// What keeps a queued task from running, most decisive first; nothing for one that is not queued or is next.
    pub async fn blockers(&self, task: &Task) -> Result<Vec<Blocker>> {
        let conditions = self.claim_conditions(&[task]).await?.pop().flatten();
        Ok(conditions.map(|conditions| conditions.blockers()).unwrap_or_default())
    }

    /// Where each of these stands, by one look; `None` for one that is not queued.
    pub async fn claim_conditions(&self, tasks: &[&Task]) -> Result<Vec<Option<ClaimConditions>>> {
        if tasks.iter().all(|task| task.workflow_status != WorkflowStatus::Queued) {
            return Ok(vec![None; tasks.len()]);
        }
        let (db, settings) = (self.db(), &self.inner.settings);
        let now = db.now().await?;
        let processes = self.processes().await?;
        let up: Vec<&ProcessRow> = processes.iter().filter(|process| process.state == ProcessState::Up).collect();
        let room = Room::look(db, db.reader(), settings, &self.inner.registry).await?;
        let due: Vec<&Task> = tasks.iter().copied().filter(|task| task.trigger_date <= now).collect();
        let mut places = self.places_in_line(&due).await?.into_iter();
        let mut paused: BTreeMap<&str, Option<Paused>> = BTreeMap::new();
        let mut found = Vec::with_capacity(tasks.len());
        for task in tasks {
            let is_due = task.trigger_date <= now;
            let place = if is_due { places.next().flatten() } else { None };
            if task.workflow_status != WorkflowStatus::Queued {
                found.push(None);
                continue;
            }
            let kind = task.execution_component_name.as_str();
            let paused = match paused.get(kind) {
                Some(known) => known.clone(),
                None => paused.entry(kind).or_insert(self.paused(kind).await?).clone(),
            };
            let knows = |process: &&&ProcessRow| process.kinds.iter().any(|known| known == kind);
            let knowing: Vec<&&ProcessRow> = up.iter().filter(knows).collect();
            found.push(Some(ClaimConditions {
                due: is_due,
                trigger_date: task.trigger_date,
                slots: up.iter().map(|process| process.slots).sum(),
                busy: up.iter().map(|process| process.busy).sum(),
                processes: up.len() as u64,
                known_by: knowing.len() as u64,
                able: knowing.iter().map(|process| process.slots).sum(),
                free: knowing.iter().map(|process| process.free_slots()).sum(),
                has_slot: knowing.iter().any(|process| process.free_slots() > 0),
                has_idle: knowing.iter().any(|process| process.is_idle()),
                paused,
                stopped: room.is_stopped(task.owner_id),
                of_owner: room.of_owner(task.owner_id, kind),
                of_kind: room.of_kind(kind),
                alone: task.runs_alone(),
                place,
            }));
        }
        Ok(found)
    }
}
