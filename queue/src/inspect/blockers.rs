//! Why a task is not running, computed from the same rules as the claim.

use model::{Instant, WorkflowStatus};
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::{
    Database, Queue, Result, Task,
    claim::due::QUARANTINE,
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
    /// No process that is up knows the kind.
    UnknownKind,
    /// No process is there to claim it.
    NoLiveProcess,
    /// Every slot of every process is taken.
    SlotsFull,
    /// Two processes died at it, so it waits for one that has nothing else to do.
    WaitsToRunAlone,
    /// So many tasks are before it.
    InLine(u64),
}

/// Where a queued task stands: what the claim would look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub due: bool,
    pub trigger_date: Instant,
    /// Slots of the processes that are up, and tasks in them.
    pub slots: u64,
    pub busy: u64,
    /// Processes that are up, and those of them that know the kind.
    pub processes: u64,
    pub known_by: u64,
    pub paused: Option<Paused>,
    /// Tasks of its owner that run, and the most; absent for a kind that does not count.
    pub of_owner: Option<(u64, u32)>,
    /// Tasks of its kind that run, and the most.
    pub of_kind: Option<(u64, u32)>,
    /// Two processes died at it.
    pub alone: bool,
    /// Its place among those that are due: 1 is next.
    pub place: Option<u64>,
}

impl Standing {
    /// What keeps it from running, most decisive first.
    pub fn blockers(&self) -> Vec<Blocker> {
        let mut blockers = Vec::new();
        if !self.due {
            blockers.push(Blocker::NotDueUntil(self.trigger_date));
        }
        if self.processes == 0 {
            blockers.push(Blocker::NoLiveProcess);
        } else if self.known_by == 0 {
            blockers.push(Blocker::UnknownKind);
        }
        if self.paused.is_some() {
            blockers.push(Blocker::KindPaused);
        }
        if self.processes > 0 && self.busy >= self.slots {
            blockers.push(Blocker::SlotsFull);
        }
        if let Some((_, limit)) = self.of_owner.filter(|(running, limit)| *running >= u64::from(*limit)) {
            blockers.push(Blocker::OwnerLimit(limit));
        }
        if let Some((_, limit)) = self.of_kind.filter(|(running, limit)| *running >= u64::from(*limit)) {
            blockers.push(Blocker::KindLimit(limit));
        }
        if self.alone {
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
        Ok(self.standing(task).await?.map(|standing| standing.blockers()).unwrap_or_default())
    }

    /// Where a queued task stands; `None` for one that is not queued.
    pub async fn standing(&self, task: &Task) -> Result<Option<Standing>> {
        if task.workflow_status != WorkflowStatus::Queued {
            return Ok(None);
        }
        let (db, settings) = (self.db(), &self.inner.settings);
        let kind = task.execution_component_name.as_str();
        let now = db.now().await?;
        let processes = self.processes().await?;
        let up: Vec<&ProcessRow> = processes.iter().filter(|process| process.state == ProcessState::Up).collect();
        let running =
            "SELECT COUNT(*) FROM queued_task {by queued_task_process} WHERE scheduled_by_process IS NOT NULL";
        let of_kind = match settings.per_kind.get(kind) {
            Some(limit) => {
                let sql = format!("{running} AND execution_component_name = $1");
                Some((number(db, &sql, [kind.into()]).await?, *limit))
            }
            None => None,
        };
        let counts = self.inner.registry.get(kind).is_some_and(|executor| executor.counts_toward_owner());
        let of_owner = match counts {
            true => Some((self.running_counted(task).await?, settings.per_owner)),
            false => None,
        };
        Ok(Some(Standing {
            due: task.trigger_date <= now,
            trigger_date: task.trigger_date,
            slots: up.iter().map(|process| process.slots).sum(),
            busy: number(db, running, []).await?,
            processes: up.len() as u64,
            known_by: up.iter().filter(|process| process.kinds.iter().any(|known| known == kind)).count() as u64,
            paused: self.paused(kind).await?,
            of_owner,
            of_kind,
            alone: task.crashes >= QUARANTINE,
            place: if task.trigger_date <= now { self.place_in_line(task).await? } else { None },
        }))
    }

    /// How many of this owner's tasks run that count toward the owner's limit.
    async fn running_counted(&self, task: &Task) -> Result<u64> {
        let mut values: Vec<Value> = vec![task.owner_id.into()];
        let counted: Vec<String> = self
            .inner
            .registry
            .uncounted()
            .map(|kind| {
                values.push(kind.into());
                format!("AND execution_component_name <> ${}", values.len())
            })
            .collect();
        let sql = format!(
            "SELECT COUNT(*) FROM queued_task {{by queued_task_process}} WHERE scheduled_by_process IS NOT NULL AND owner_id = $1 {}",
            counted.join(" ")
        );
        Ok(number(self.db(), &sql, values).await?)
    }
}

async fn number(db: &Database, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
    let row = db.reader().query_one_raw(db.statement(sql, values)).await?;
    let count: i64 = row.ok_or_else(|| DbErr::RecordNotFound("count".to_owned()))?.try_get_by_index(0)?;
    Ok(count.unsigned_abs())
}
