//! What runs by the calendar. The next fire of each schedule stands in the table, so that a process that was away sees what
//! it missed, and a fire is a row of its own, unique by (schedule, planned instant), so that two processes do not both do it.
//!
//! Work is done inline, under a scheduler lock. Fires that were missed are made up for once. Work whose process died is done
//! again, so it has to be safe to do twice. Whoever sleeps beyond the time of the lock is turned away by the statements
//! themselves: a fire begins only by the one who has the lock, and as the schedule has it then.

mod when;

use std::{panic::AssertUnwindSafe, str::FromStr, sync::Arc, time::Duration};

use async_trait::async_trait;
use chrono_tz::Tz;
use futures::FutureExt;
use model::{Instant, admin::FireOutcome};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryResult, QueryTrait,
    sea_query::{Expr, ExprTrait, InsertStatement, OnConflict, UpdateStatement},
};
use tokio_util::sync::CancellationToken;

pub use when::When;

use crate::{
    Database, Permit, Result, Runtime,
    database::compose::row_of,
    entity::{schedule, schedule_fire},
    lock::{Lock, LockRequest, Locks},
};

/// How long fires are remembered.
const KEPT: Duration = Duration::from_secs(30 * 86_400);
/// The longest wait between two looks at the table.
const LOOK: Duration = Duration::from_secs(5);
/// How long the lock of a process that died holds the others back. While work goes on, its lock is kept alive.
const AT_MOST: Duration = Duration::from_secs(60);
/// For how long after a fire the others leave its schedule alone.
const AT_LEAST: Duration = Duration::from_secs(1);

/// The work of a schedule. Safe to do twice.
#[async_trait]
pub trait Work: Send + Sync {
    /// Does it, and says in a few words what was done.
    async fn fire(&self, lock: &Lock) -> Result<String>;
}

/// Work with its time.
#[derive(Clone)]
pub struct Schedule {
    /// Never renamed: its row is found by it.
    pub name: &'static str,
    /// When it fires unless told otherwise.
    pub default: When,
    /// What the settings say instead, as it was written there: see [`When`].
    pub configured: Option<String>,
    pub zone: Tz,
    pub work: Arc<dyn Work>,
}

impl Schedule {
    /// The expression to put into the table, and what to put there when it says nothing yet. What cannot be read is
    /// none, and leaves what the table says.
    fn expressions(&self) -> (Option<When>, When) {
        match self.configured.as_deref().map(When::from_str) {
            None => (Some(self.default.clone()), self.default.clone()),
            Some(Ok(configured)) => (Some(configured.clone()), configured),
            Some(Err(why)) => {
                tracing::warn!(schedule = self.name, why, "this is no time for a schedule; it stays as it was");
                (None, self.default.clone())
            }
        }
    }
}

/// A schedule as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRow {
    pub name: String,
    pub expression: String,
    pub time_zone: String,
    /// None when it is disabled.
    pub next_fire: Option<Instant>,
    pub paused: bool,
    pub last: Option<FireRow>,
}

/// The latest fire of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FireRow {
    pub fired_date: Instant,
    /// None while it is under way, or when its process died at it.
    pub stopped_date: Option<Instant>,
    pub process: String,
    pub outcome: Option<FireOutcome>,
    /// What it says it has done, or what went wrong.
    pub detail: Option<String>,
}

/// A fire that is due.
struct DueFire {
    planned: Instant,
    expression: String,
    zone: String,
}

impl DueFire {
    /// The fire after this one. What this version cannot read is a later version's; the schedule's own time stands in for it.
    fn next_after(&self, now: Instant, schedule: &Schedule) -> Option<Instant> {
        match (When::from_str(&self.expression), Tz::from_str(&self.zone)) {
            (Ok(when), Ok(zone)) => when.next_after(now, zone),
            _ => schedule.default.next_after(now, schedule.zone),
        }
    }
}

/// Fires the schedules of this process; every process has the same.
pub struct Scheduler {
    runtime: Runtime,
    locks: Locks,
    schedules: Vec<Schedule>,
}

impl Scheduler {
    /// Of the process of this runtime, while that may act.
    pub fn new(runtime: &Runtime, locks: Locks, schedules: Vec<Schedule>) -> Scheduler {
        Scheduler { runtime: runtime.clone(), locks, schedules }
    }

    fn db(&self) -> &Database {
        self.runtime.queue().db()
    }

    /// Makes the table say what the schedules say. A schedule whose expression is the same keeps its next fire, even if that
    /// is in the past: it was missed.
    pub async fn announce(&self) -> Result<()> {
        let now = self.db().now().await?;
        for schedule in &self.schedules {
            let (configured, first) = schedule.expressions();
            if self.db().write_query(&entered(schedule, &first, now)).await? == 1 {
                continue;
            }
            if let Some(configured) = configured {
                self.db().write_query(&changed(schedule, &configured, now)).await?;
            }
        }
        Ok(())
    }

    /// Fires what is due. Returns how many fires were made.
    pub async fn tick(&self) -> Result<usize> {
        let mut fired = 0;
        for schedule in &self.schedules {
            if self.due(schedule).await?.is_none() {
                continue;
            }
            let Some(permit) = self.runtime.permit().await? else { return Ok(fired) };
            let name = format!("schedule:{}", schedule.name);
            let wish = LockRequest { at_most: AT_MOST, at_least: AT_LEAST, ..LockRequest::new(&name) };
            let done = self.locks.with(wish, async |lock| self.fire(schedule, lock, &permit).await).await;
            match done {
                Ok(Some(Ok(true))) => fired += 1,
                Ok(Some(Ok(false)) | None) => {}
                Ok(Some(Err(error))) | Err(error) => {
                    tracing::error!(schedule = schedule.name, %error, "a schedule could not be fired; tried again soon");
                }
            }
        }
        Ok(fired)
    }

    /// Announces, and ticks until `stop`.
    pub async fn run(&self, stop: CancellationToken) {
        let work = async {
            while let Err(error) = self.announce().await {
                tracing::error!(%error, "cannot announce the schedules; trying again");
                tokio::time::sleep(LOOK).await;
            }
            loop {
                if let Err(error) = self.tick().await {
                    tracing::error!(%error, "cannot look at the schedules; trying again");
                }
                tokio::time::sleep(self.until_next().await.unwrap_or(LOOK).clamp(AT_LEAST, LOOK)).await;
            }
        };
        tokio::select! {
            () = work => {}
            () = stop.cancelled() => {}
        }
    }

    /// The instant for which a schedule is due, if it is, and its time.
    async fn due(&self, schedule: &Schedule) -> Result<Option<DueFire>, DbErr> {
        let now = self.db().instant();
        let due = schedule::Entity::find_by_id(schedule.name)
            .filter(schedule::Column::Paused.eq(false))
            .filter(Expr::col(schedule::Column::NextFire).lte(now));
        let due = due.one(self.db().reader()).await?;
        Ok(due
            .and_then(|row| Some(DueFire { planned: row.next_fire?, expression: row.expression, zone: row.time_zone })))
    }

    /// Fires once, if it is still due now that the lock is ours. False: somebody was faster.
    async fn fire(&self, schedule: &Schedule, lock: &Lock, permit: &Permit<'_>) -> Result<bool> {
        let Some(due) = self.due(schedule).await? else { return Ok(false) };
        let begun = self.begin(schedule, due.planned, lock, permit).await?;
        if begun {
            let done = AssertUnwindSafe(schedule.work.fire(lock)).catch_unwind().await;
            let (outcome, detail) = match &done {
                Ok(Ok(detail)) => (FireOutcome::Done, detail.clone()),
                Ok(Err(error)) => (FireOutcome::Failed, error.to_string()),
                Err(_) => (FireOutcome::Failed, "it panicked".to_owned()),
            };
            tracing::info!(schedule = schedule.name, planned = %due.planned, %outcome, detail, "fired");
            self.end(schedule, due.planned, outcome, &detail, permit).await?;
        }
        // By the table, which a process with other settings may have changed since.
        let next = due.next_after(self.db().now().await?, schedule);
        // Only once it is over: somebody else may be at it by now, or it may not have begun.
        let over = schedule_fire::Entity::find_by_id((schedule.name.to_owned(), due.planned))
            .filter(schedule_fire::Column::StoppedDate.is_not_null());
        let moved = schedule::Entity::update_many()
            .col_expr(schedule::Column::NextFire, next.into())
            .filter(schedule::Column::Name.eq(schedule.name))
            .filter(schedule::Column::NextFire.eq(due.planned))
            .filter(Expr::exists(over.into_query()));
        self.db().write_query(&moved.into_query()).await?;
        let long_ago = self.db().instant_after(-KEPT.as_secs_f64());
        let forgotten = schedule_fire::Entity::delete_many()
            .filter(schedule_fire::Column::Schedule.eq(schedule.name))
            .filter(Expr::col(schedule_fire::Column::PlannedDate).lt(long_ago));
        self.db().write_query(&forgotten.into_query()).await?;
        Ok(begun)
    }

    /// Notes that a fire has begun. False: it has been done already, is not to be done any more, or not by us. One that began and
    /// never ended begins again.
    async fn begin(&self, schedule: &Schedule, planned: Instant, lock: &Lock, permit: &Permit<'_>) -> Result<bool> {
        let sql = "INSERT INTO schedule_fire (schedule, planned_date, fired_date, process)
             SELECT name, next_fire, $6, $3 FROM schedule
             WHERE name = $1 AND next_fire = $2 AND NOT paused AND EXISTS (
                SELECT 1 FROM scheduler_lock WHERE name = $4 AND token = $5 AND lock_until > $6)
             ON CONFLICT (schedule, planned_date) DO UPDATE SET fired_date = excluded.fired_date, process = excluded.process
             WHERE schedule_fire.stopped_date IS NULL";
        let [name, token] = lock.fence();
        let db = self.db();
        let parts =
            [schedule.name.into(), planned.into(), permit.process().into(), name.into(), token.into(), db.instant()];
        Ok(db.write_statement(db.composed(sql, parts)).await? == 1)
    }

    async fn end(
        &self,
        schedule: &Schedule,
        planned: Instant,
        outcome: FireOutcome,
        detail: &str,
        permit: &Permit<'_>,
    ) -> Result<(), DbErr> {
        use schedule_fire::Column::{Detail, Outcome, PlannedDate, Process, Schedule, StoppedDate};
        let ended = schedule_fire::Entity::update_many()
            .col_expr(StoppedDate, self.db().instant())
            .col_expr(Outcome, outcome.name().into())
            .col_expr(Detail, detail.into())
            .filter(Schedule.eq(schedule.name))
            .filter(PlannedDate.eq(planned))
            .filter(Process.eq(permit.process()));
        self.db().write_query(&ended.into_query()).await.map(drop)
    }

    async fn until_next(&self) -> Option<Duration> {
        let sql = "SELECT MIN(next_fire) AS next, $1 AS now FROM schedule WHERE NOT paused";
        let row = self.db().reader().query_one_raw(self.db().composed(sql, [self.db().instant()])).await.ok()??;
        let (next, now): (Option<Instant>, Instant) = (row.try_get("", "next").ok()?, row.try_get("", "now").ok()?);
        (next? - now).to_std().ok().or(Some(Duration::ZERO))
    }
}

/// A schedule that the table does not have yet.
fn entered(schedule: &Schedule, when: &When, now: Instant) -> InsertStatement {
    use schedule::Column::{Expression, Name, NextFire, Paused, TimeZone};
    let row = [
        (Name, schedule.name.into()),
        (Expression, when.to_string().into()),
        (TimeZone, schedule.zone.name().into()),
        (NextFire, when.next_after(now, schedule.zone).into()),
        (Paused, false.into()),
    ];
    row_of(schedule::Entity, row).on_conflict(OnConflict::column(Name).do_nothing().to_owned()).take()
}

/// One that the table has, if it has another time there.
fn changed(schedule: &Schedule, when: &When, now: Instant) -> UpdateStatement {
    use schedule::Column::{Expression, Name, NextFire, TimeZone};
    let (expression, zone) = (when.to_string(), schedule.zone.name());
    schedule::Entity::update_many()
        .col_expr(Expression, expression.clone().into())
        .col_expr(TimeZone, zone.into())
        .col_expr(NextFire, when.next_after(now, schedule.zone).into())
        .filter(Name.eq(schedule.name))
        .filter(Expression.ne(expression).or(TimeZone.ne(zone)))
        .into_query()
}

/// Every schedule there is, by name.
pub async fn list(db: &Database) -> Result<Vec<ScheduleRow>> {
    let sql =
        "SELECT s.name, s.expression, s.time_zone, s.next_fire, s.paused, f.fired_date, f.stopped_date, f.process,
            f.outcome, f.detail
         FROM schedule s LEFT JOIN schedule_fire f ON f.schedule = s.name AND f.planned_date = (
            SELECT MAX(planned_date) FROM schedule_fire WHERE schedule = s.name)
         ORDER BY s.name";
    let rows = db.reader().query_all_raw(db.statement(sql, [])).await?;
    let read = |row: &QueryResult| -> Result<ScheduleRow, DbErr> {
        let last = match row.try_get::<Option<Instant>>("", "fired_date")? {
            None => None,
            Some(fired_date) => Some(FireRow {
                fired_date,
                stopped_date: row.try_get("", "stopped_date")?,
                process: row.try_get("", "process")?,
                outcome: row.try_get("", "outcome")?,
                detail: row.try_get("", "detail")?,
            }),
        };
        Ok(ScheduleRow {
            name: row.try_get("", "name")?,
            expression: row.try_get("", "expression")?,
            time_zone: row.try_get("", "time_zone")?,
            next_fire: row.try_get("", "next_fire")?,
            paused: row.try_get("", "paused")?,
            last,
        })
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

/// Keeps a schedule from firing, or lets it fire again: what it missed meanwhile is made up for once. False: it was so
/// already, or there is no such schedule.
pub async fn set_paused(db: &Database, txn: &impl ConnectionTrait, name: &str, paused: bool) -> Result<bool> {
    let change = schedule::Entity::update_many()
        .col_expr(schedule::Column::Paused, paused.into())
        .filter(schedule::Column::Name.eq(name))
        .filter(schedule::Column::Paused.ne(paused));
    Ok(txn.execute_raw(db.build(&change.into_query())).await?.rows_affected() == 1)
}

/// Makes a schedule fire at the next look at the table, a few seconds from now at most, beside its usual times. False: it is
/// paused or disabled, or there is none.
pub async fn fire_soon(db: &Database, txn: &impl ConnectionTrait, name: &str) -> Result<bool> {
    let soon = schedule::Entity::update_many()
        .col_expr(schedule::Column::NextFire, db.instant())
        .filter(schedule::Column::Name.eq(name))
        .filter(schedule::Column::Paused.eq(false))
        .filter(schedule::Column::NextFire.is_not_null());
    Ok(txn.execute_raw(db.build(&soon.into_query())).await?.rows_affected() == 1)
}
