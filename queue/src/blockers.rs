//! Why a task is not running, computed from the same rules as the claim.

use model::{Instant, WorkflowStatus};
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::{Database, Queue, Result, Task, claim::QUARANTINE};

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
    /// This process, and so perhaps every other, does not know the kind.
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

impl Queue {
    /// What keeps a queued task from running, most decisive first; nothing for one that is not queued or is next.
    pub async fn blockers(&self, task: &Task) -> Result<Vec<Blocker>> {
        if task.workflow_status != WorkflowStatus::Queued {
            return Ok(Vec::new());
        }
        let (db, settings) = (&self.inner.db, &self.inner.settings);
        let kind = task.execution_component_name.as_str();
        let mut blockers = Vec::new();
        if task.trigger_date > db.now().await? {
            blockers.push(Blocker::NotDueUntil(task.trigger_date));
        }
        let executor = self.inner.registry.get(kind);
        if executor.is_none() {
            blockers.push(Blocker::UnknownKind);
        }
        if number(db, "SELECT COUNT(*) FROM paused_kind WHERE kind = $1", [kind.into()]).await? > 0 {
            blockers.push(Blocker::KindPaused);
        }
        let alive = "FROM process WHERE NOT stopping AND heartbeat_date > {after:-$1}";
        let lease = || [settings.lease.as_secs_f64().into()];
        // The lock file says more than a heartbeat where there is one process only.
        let (processes, slots) = match db.is_postgres() {
            true => (
                number(db, &format!("SELECT COUNT(*) {alive}"), lease()).await?,
                number(db, &format!("SELECT COALESCE(SUM(slots), 0) {alive}"), lease()).await?,
            ),
            false => (
                number(db, "SELECT COUNT(*) FROM process", []).await?,
                number(db, "SELECT COALESCE(SUM(slots), 0) FROM process", []).await?,
            ),
        };
        let running = "SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process IS NOT NULL";
        if processes == 0 {
            blockers.push(Blocker::NoLiveProcess);
        } else if number(db, running, []).await? >= slots {
            blockers.push(Blocker::SlotsFull);
        }
        if executor.is_some_and(|executor| executor.counts_toward_owner()) {
            let of_owner = self.running_counted(task).await?;
            if of_owner >= i64::from(settings.per_owner) {
                blockers.push(Blocker::OwnerLimit(settings.per_owner));
            }
        }
        if let Some(limit) = settings.per_kind.get(kind) {
            let of_kind = format!("{running} AND execution_component_name = $1");
            if number(db, &of_kind, [kind.into()]).await? >= i64::from(*limit) {
                blockers.push(Blocker::KindLimit(*limit));
            }
        }
        if task.crashes >= QUARANTINE {
            blockers.push(Blocker::WaitsToRunAlone);
        }
        match self.place_in_line(task).await? {
            Some(place @ 2..) if task.trigger_date <= db.now().await? => blockers.push(Blocker::InLine(place - 1)),
            _ => {}
        }
        Ok(blockers)
    }

    /// How many of this owner's tasks run that count toward the owner's limit.
    async fn running_counted(&self, task: &Task) -> Result<i64> {
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
            "SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process IS NOT NULL AND owner_id = $1 {}",
            counted.join(" ")
        );
        Ok(number(&self.inner.db, &sql, values).await?)
    }
}

async fn number(db: &Database, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<i64, DbErr> {
    let row = db.reader().query_one_raw(db.statement(sql, values)).await?;
    row.ok_or_else(|| DbErr::RecordNotFound("count".to_owned()))?.try_get_by_index(0)
}
