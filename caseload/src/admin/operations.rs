//! Processes, kinds of task, locks and schedules: what there is, and what is done to them, each time with a reason and an
//! entry in the audit.

use std::str::FromStr;

use chrono::TimeDelta;
use model::{
    Conflict, Instant, Problem, Total,
    admin::FireOutcome,
    admin::{KindInfo, LastFire, LockInfo, ProcessInfo, ProcessState, ScheduleInfo, ScheduleName},
    note::Reason,
};
use queue::{
    Transaction,
    lock::LockRow,
    schedule::{self, ScheduleRow, When},
};
use serde_json::{Value, json};

use crate::{
    Actor, Caseload, Result,
    admin::guard::{administering, reasoned},
    audit::entry::{self, By, Entry},
    caseload::Admin,
};

/// A schedule that has not fired this long after its time is late.
const LATE: TimeDelta = TimeDelta::minutes(2);
/// A lock is renewed at half of its time; after this share of it something is wrong.
const OVERDUE: f64 = 0.75;

impl Admin<'_> {
    /// Every process that works on tasks.
    pub async fn processes(self, actor: &Actor) -> Result<Vec<ProcessInfo>> {
        administering(actor)?;
        process_list(self.0).await
    }

    /// Every kind of task.
    pub async fn kinds(self, actor: &Actor) -> Result<Vec<KindInfo>> {
        administering(actor)?;
        kind_list(self.0).await
    }

    /// Every scheduler lock, those that are held first.
    pub async fn locks(self, actor: &Actor) -> Result<Vec<LockInfo>> {
        administering(actor)?;
        lock_list(self.0).await
    }

    /// Every schedule.
    pub async fn schedules(self, actor: &Actor) -> Result<Vec<ScheduleInfo>> {
        administering(actor)?;
        schedule_list(self.0).await
    }

    /// Takes a scheduler lock from whoever holds it, if `taken` is given only from whoever has held it since then. False: nobody
    /// held it.
    pub async fn release_lock(self, actor: &Actor, name: &str, taken: Option<Instant>, reason: &str) -> Result<bool> {
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        let Some(lock) = self.0.queue().break_lock(&txn, name).await? else { return Ok(false) };
        if taken.is_some_and(|taken| taken != lock.locked_at) {
            let detail =
                format!("{} has taken the lock since you looked. Check who holds it, then try again.", lock.locked_by);
            return Err(Problem::conflict(Conflict::CHANGED_SINCE, detail).with("holder", lock.locked_by).into());
        }
        let change = FoundAndLeft {
            before: json!({ "holder": lock.locked_by, "until": lock.lock_until }),
            after: json!({ "holder": null }),
        };
        record_operation(self.0, &txn, actor, ("lock.release", "lock", name), &reason, change).await?;
        self.0.db().commit(txn).await?;
        Ok(true)
    }

    /// Keeps tasks of a kind from starting. False: they were kept already.
    pub async fn pause_kind(self, actor: &Actor, kind: &str, reason: &str) -> Result<bool> {
        let reason = self.operating_kind(actor, kind, reason)?;
        let txn = self.0.db().begin_write().await?;
        let paused = self.0.queue().pause(&txn, kind, actor.person_id, Some(reason.as_str())).await?;
        if paused {
            let change = FoundAndLeft { before: json!({ "paused": false }), after: json!({ "paused": true }) };
            record_operation(self.0, &txn, actor, ("kind.pause", "kind", kind), &reason, change).await?;
        }
        self.0.db().commit(txn).await?;
        Ok(paused)
    }

    /// Lets tasks of a kind start again. False: nothing kept them.
    pub async fn resume_kind(self, actor: &Actor, kind: &str, reason: &str) -> Result<bool> {
        // Also of a kind that no version knows any more.
        let reason = reasoned(actor, reason)?;
        let txn = self.0.db().begin_write().await?;
        let resumed = self.0.queue().resume(&txn, kind).await?;
        if resumed {
            let change = FoundAndLeft { before: json!({ "paused": true }), after: json!({ "paused": false }) };
            record_operation(self.0, &txn, actor, ("kind.resume", "kind", kind), &reason, change).await?;
        }
        self.0.db().commit(txn).await?;
        self.0.queue().wake();
        Ok(resumed)
    }

    /// Keeps a schedule from firing, or lets it fire again. False: it was so already.
    pub async fn pause_schedule(self, actor: &Actor, name: &str, paused: bool, reason: &str) -> Result<bool> {
        let reason = reasoned(actor, reason)?;
        self.known_schedule(name).await?;
        let txn = self.0.db().begin_write().await?;
        let changed = schedule::set_paused(self.0.db(), &txn, name, paused).await?;
        if changed {
            let action = if paused { "schedule.pause" } else { "schedule.resume" };
            let change = FoundAndLeft { before: json!({ "paused": !paused }), after: json!({ "paused": paused }) };
            record_operation(self.0, &txn, actor, (action, "schedule", name), &reason, change).await?;
        }
        self.0.db().commit(txn).await?;
        Ok(changed)
    }

    /// Makes a schedule fire within seconds, beside its usual times. False: it is paused or disabled.
    pub async fn run_schedule(self, actor: &Actor, name: &str, reason: &str) -> Result<bool> {
        let reason = reasoned(actor, reason)?;
        let known = self.known_schedule(name).await?;
        let txn = self.0.db().begin_write().await?;
        let soon = schedule::fire_soon(self.0.db(), &txn, name).await?;
        if soon {
            let change = FoundAndLeft { before: json!({ "next": known.next_fire }), after: json!({ "next": "now" }) };
            record_operation(self.0, &txn, actor, ("schedule.run", "schedule", name), &reason, change).await?;
        }
        self.0.db().commit(txn).await?;
        Ok(soon)
    }

    async fn known_schedule(self, name: &str) -> Result<ScheduleRow> {
        let known = schedule::list(self.0.db()).await?.into_iter().find(|row| row.name == name);
        known.ok_or_else(|| Problem::not_found("schedule").into())
    }

    fn operating_kind(self, actor: &Actor, kind: &str, reason: &str) -> Result<Reason> {
        let reason = reasoned(actor, reason)?;
        match self.0.queue().kinds().any(|known| known == kind) {
            true => Ok(reason),
            false => Err(Problem::not_found("kind of task").into()),
        }
    }
}

pub(super) async fn process_list(caseload: &Caseload) -> Result<Vec<ProcessInfo>> {
    let now = caseload.db().now().await?;
    let process_info = |process: queue::ProcessRow| ProcessInfo {
        state: match process.state {
            queue::ProcessState::Up => ProcessState::Up,
            queue::ProcessState::Stopping => ProcessState::Stopping,
            queue::ProcessState::Silent => ProcessState::Silent,
        },
        heartbeat_age_ms: process.heartbeat_date.map(|beat| (now - beat).num_milliseconds().max(0).unsigned_abs()),
        id: process.id,
        system_id: process.system_id,
        host: process.host,
        version: process.version,
        started_date: process.started_date,
        slots: process.slots,
        busy: process.busy,
        kinds: process.kinds,
    };
    Ok(caseload.queue().processes().await?.into_iter().map(process_info).collect())
}

pub(super) async fn kind_list(caseload: &Caseload) -> Result<Vec<KindInfo>> {
    let mut kinds = Vec::new();
    for row in caseload.queue().kind_rows().await? {
        let paused_by = match &row.paused {
            Some(paused) => Some(caseload.staff_name(paused.by).await?),
            None => None,
        };
        kinds.push(KindInfo {
            kind: row.kind,
            paused: row.paused.is_some(),
            paused_date: row.paused.as_ref().map(|paused| paused.date),
            paused_by,
            pause_reason: row.paused.and_then(|paused| paused.reason),
            known_by: row.known_by,
            waiting: Total { value: row.waiting, exact: row.all_counted },
            retrying: Total { value: row.retrying, exact: row.all_counted },
            scheduled: Total { value: row.scheduled, exact: row.all_counted },
            running: row.running,
            limit: row.limit,
            deadline_seconds: row.deadline_seconds,
        });
    }
    Ok(kinds)
}

pub(super) async fn lock_list(caseload: &Caseload) -> Result<Vec<LockInfo>> {
    let now = caseload.db().now().await?;
    let processes = caseload.queue().processes().await?.into_iter();
    let known: Vec<(String, bool)> =
        processes.map(|process| (process.id, process.state != queue::ProcessState::Silent)).collect();
    let lock_info = |lock: LockRow| {
        let since = now - lock.renewed_date.unwrap_or(lock.locked_at);
        LockInfo {
            overdue: lock.held && since.as_seconds_f64() > lock.at_most.as_secs_f64() * OVERDUE,
            holder_lives: known.iter().find(|(id, _)| *id == lock.locked_by).map(|(_, lives)| *lives),
            name: lock.name,
            held: lock.held,
            holder: lock.locked_by,
            locked_date: lock.locked_at,
            renewed_date: lock.renewed_date,
            renewals: lock.renewals,
            lock_until: lock.lock_until,
        }
    };
    let mut locks: Vec<LockInfo> = caseload.queue().locks("").list().await?.into_iter().map(lock_info).collect();
    locks.sort_by_key(|lock| !lock.held);
    Ok(locks)
}

pub(super) async fn schedule_list(caseload: &Caseload) -> Result<Vec<ScheduleInfo>> {
    let now = caseload.db().now().await?;
    Ok(schedule::list(caseload.db()).await?.into_iter().map(|row| schedule_info(row, now)).collect())
}

/// Leaves the trace of an operation: `what` is the action, and the kind and the name of what it is done to.
pub(super) async fn record_operation(
    caseload: &Caseload,
    txn: &Transaction,
    actor: &Actor,
    what: (&str, &str, &str),
    reason: &Reason,
    change: FoundAndLeft,
) -> Result<()> {
    let (action, object_kind, object_id) = what;
    let entry = Entry {
        by: By::Actor(actor),
        action,
        object_kind,
        object_id: Some(object_id.to_owned()),
        detail: json!({ "reason": reason, "before": change.before, "after": change.after }),
    };
    Ok(entry::record(caseload.db(), txn, entry).await?)
}

/// What an operation found and what it left.
pub(super) struct FoundAndLeft {
    pub before: Value,
    pub after: Value,
}

fn schedule_info(row: ScheduleRow, now: Instant) -> ScheduleInfo {
    let words = match When::from_str(&row.expression) {
        Ok(when) => when.words(),
        Err(_) => row.expression.clone(),
    };
    ScheduleInfo {
        purpose: row.name.parse::<ScheduleName>().map_or("", ScheduleName::label).to_owned(),
        words,
        late: !row.paused && row.next_fire.is_some_and(|next| next + LATE < now),
        last: row.last.map(|last| LastFire {
            took_ms: last
                .stopped_date
                .map(|stopped| (stopped - last.fired_date).num_milliseconds().max(0).unsigned_abs()),
            failed: last.outcome.map(|outcome| outcome == FireOutcome::Failed),
            fired_date: last.fired_date,
            detail: last.detail,
            process: last.process,
        }),
        name: row.name,
        expression: row.expression,
        time_zone: row.time_zone,
        paused: row.paused,
        next_date: row.next_fire,
    }
}
