//! How much was done and how long it took: kept for each minute of the last day and each hour of the last months, so that a
//! chart costs the same whether a thousand tasks have ended or a million.
//!
//! A schedule counts the minutes that are over from the tasks that ended in them. It counts the last few again, since what
//! was under way at the turn of a minute may have been committed after it. Doing so twice changes nothing.

pub mod histogram;

use std::collections::BTreeMap;

use async_trait::async_trait;
use chrono::{DurationRound, TimeDelta};
use model::{Instant, counted};
use sea_orm::{ConnectionTrait, DbErr, QueryResult};

use crate::{Database, Queue, Result, lock::Lock, schedule::Work};
use histogram::{Histogram, class_sql};

/// The steps that are kept, in seconds.
const MINUTE: i64 = 60;
const HOUR: i64 = 3_600;
/// How long minutes are kept, and how far back a first count goes.
const MINUTES_KEPT: i64 = 26 * HOUR;
/// How long hours are kept.
const HOURS_KEPT: i64 = 100 * 24 * HOUR;
/// The columns of a sample.
const SAMPLED: [&str; 5] = ["waiting", "running", "retrying", "stalled", "oldest_seconds"];
/// How much is counted again.
const AGAIN: i64 = 5 * MINUTE;

/// What ended in a span of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Throughput {
    /// Ended as they should.
    pub done: u64,
    /// Done, with people who failed.
    pub problems: u64,
    /// Failed, or could not start.
    pub failed: u64,
    /// Given up by somebody.
    pub abandoned: u64,
    /// People, or steps, of all of them that have an outcome.
    pub people: u64,
    /// From when each was due until its last attempt began.
    pub waits: Histogram,
    /// How long its last attempt took.
    pub runs: Histogram,
}

/// The queue at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryPoint {
    pub date: Instant,
    pub waiting: u64,
    pub running: u64,
    pub retrying: u64,
    pub stalled: u64,
    /// How long the oldest has waited, in seconds.
    pub oldest_seconds: u64,
}

/// The course of a span of time.
#[derive(Clone, Debug)]
pub struct QueueHistory {
    /// When the first of the parts begins.
    pub start: Instant,
    /// How long each part is, in seconds.
    pub step: i64,
    /// Oldest first; the last one may be under way.
    pub parts: Vec<Throughput>,
    /// One for each part that has one.
    pub samples: Vec<HistoryPoint>,
}

impl Throughput {
    fn merge(&mut self, other: &Throughput) {
        self.done += other.done;
        self.problems += other.problems;
        self.failed += other.failed;
        self.abandoned += other.abandoned;
        self.people += other.people;
        self.waits.merge(&other.waits);
        self.runs.merge(&other.runs);
    }
}

impl Queue {
    /// What ended in the last `span` seconds, in parts of `step` seconds each, which is a multiple of a minute and for more than
    /// a day of an hour; of one kind or of all.
    pub async fn course(&self, span: i64, step: i64, kind: Option<&str>) -> Result<QueueHistory> {
        let db = self.db();
        let now = db.now().await?;
        let kept = if step % HOUR == 0 { HOUR } else { MINUTE };
        let end = floor(now, step) + TimeDelta::seconds(step);
        let start = end - TimeDelta::seconds(span);
        let mut parts = vec![Throughput::default(); usize::try_from(span / step).unwrap_or_default()];
        let sql = "SELECT * FROM throughput
            WHERE step = $1 AND start_date >= $2 AND (kind = $3 OR CAST($3 AS text) IS NULL)";
        for row in db.reader().query_all_raw(db.statement(sql, [kept.into(), start.into(), kind.into()])).await? {
            let at: Instant = row.try_get("", "start_date")?;
            let part = usize::try_from((at - start).num_seconds() / step).unwrap_or(usize::MAX);
            if let Some(part) = parts.get_mut(part) {
                part.merge(&read(&row)?);
            }
        }
        // The worst of each part: a wait of a minute must not vanish in a day.
        let sql = "SELECT * FROM queue_sample WHERE step = $1 AND start_date >= $2 ORDER BY start_date";
        let mut samples: BTreeMap<i64, HistoryPoint> = BTreeMap::new();
        for row in db.reader().query_all_raw(db.statement(sql, [kept.into(), start.into()])).await? {
            let sample = sampled(&row)?;
            let worst = samples.entry((sample.date - start).num_seconds() / step).or_insert(sample);
            worst.waiting = worst.waiting.max(sample.waiting);
            worst.running = worst.running.max(sample.running);
            worst.retrying = worst.retrying.max(sample.retrying);
            worst.stalled = worst.stalled.max(sample.stalled);
            worst.oldest_seconds = worst.oldest_seconds.max(sample.oldest_seconds);
        }
        Ok(QueueHistory { start, step, parts, samples: samples.into_values().collect() })
    }

    /// Counts the minutes that are over and not counted yet, and the hours that they belong to; how many minutes.
    pub async fn count_throughput(&self) -> Result<u64> {
        let db = self.db();
        let now = db.now().await?;
        let end = floor(now, MINUTE);
        let counted = "SELECT MAX(start_date) AS last FROM throughput WHERE step = 60";
        let row = db.reader().query_one_raw(db.statement(counted, [])).await?;
        let last: Option<Instant> = row.map(|row| row.try_get("", "last")).transpose()?.flatten();
        let oldest = end - TimeDelta::seconds(MINUTES_KEPT);
        // What was counted longer ago stays: its tasks may have been deleted since.
        let again = end - TimeDelta::seconds(AGAIN);
        let start = last.map_or(oldest, |last| again.min(last + TimeDelta::seconds(MINUTE)).max(oldest));
        let (minutes, from) = (ended(db, start, end).await?, floor(start, HOUR));
        let txn = db.begin_write().await?;
        replace(db, &txn, MINUTE, (start, end), &minutes).await?;
        // Of an hour some of whose minutes are forgotten, what was counted before stays.
        let from = if from < oldest { from + TimeDelta::seconds(HOUR) } else { from };
        let mut hours: BTreeMap<(Instant, String), Throughput> = BTreeMap::new();
        let sql = "SELECT * FROM throughput WHERE step = 60 AND start_date >= $1";
        for row in txn.query_all_raw(db.statement(sql, [from.into()])).await? {
            let at: Instant = row.try_get("", "start_date")?;
            hours.entry((floor(at, HOUR), row.try_get("", "kind")?)).or_default().merge(&read(&row)?);
        }
        replace(db, &txn, HOUR, (from, end), &hours).await?;
        for (step, kept) in [(MINUTE, MINUTES_KEPT), (HOUR, HOURS_KEPT)] {
            let old = "DELETE FROM throughput WHERE step = $1 AND start_date < $2";
            let limit = now - TimeDelta::seconds(kept);
            txn.execute_raw(db.statement(old, [step.into(), limit.into()])).await?;
        }
        db.commit(txn).await?;
        Ok((end - start).num_minutes().max(0).unsigned_abs())
    }

    /// Notes how the queue is now: for its minute, and for its hour if it is the worst of that.
    pub async fn take_sample(&self) -> Result<()> {
        let (health, db) = (self.health().await?, self.db());
        let signed = |n: u64| sea_orm::Value::from(i64::try_from(n).unwrap_or(i64::MAX));
        let worst = |column: &str| {
            format!(
                "{column} = CASE WHEN excluded.{column} > queue_sample.{column} THEN excluded.{column} ELSE queue_sample.{column} END"
            )
        };
        let worst: Vec<String> = SAMPLED.into_iter().map(worst).collect();
        let sql = format!(
            "INSERT INTO queue_sample (step, start_date, {}) VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (step, start_date) DO UPDATE SET {}",
            SAMPLED.join(", "),
            worst.join(", ")
        );
        let txn = db.begin_write().await?;
        for (step, kept) in [(MINUTE, MINUTES_KEPT), (HOUR, HOURS_KEPT)] {
            let values = [
                step.into(),
                floor(health.at, step).into(),
                signed(health.waiting),
                signed(health.running),
                signed(health.retrying),
                signed(health.stalled),
                signed(health.oldest_seconds.unwrap_or_default()),
            ];
            txn.execute_raw(db.statement(&sql, values)).await?;
            let old = "DELETE FROM queue_sample WHERE step = $1 AND start_date < $2";
            txn.execute_raw(db.statement(old, [step.into(), (health.at - TimeDelta::seconds(kept)).into()])).await?;
        }
        Ok(db.commit(txn).await?)
    }
}

/// Counts what has ended, and notes how the queue is.
pub struct SumUp(pub Queue);

#[async_trait]
impl Work for SumUp {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let minutes = self.0.count_throughput().await?;
        self.0.take_sample().await?;
        Ok(counted(minutes, "minute counted", "minutes counted"))
    }
}

/// What ended from one instant to another, by minute and kind. The index is `queued_task_ended`.
async fn ended(db: &Database, start: Instant, end: Instant) -> Result<BTreeMap<(Instant, String), Throughput>, DbErr> {
    let wait = class_sql(&db.seconds_between("trigger_date", "scheduling_started_date"));
    let run = class_sql(&db.seconds_between("execution_started_date", "workflow_stopped_date"));
    let sql = format!(
        "SELECT minute, kind, status, problems, wait, run, COUNT(*) AS n, CAST(SUM(people) AS bigint) AS people FROM (
            SELECT {} AS minute, execution_component_name AS kind, workflow_status AS status,
                failed + uncertain > 0 AS problems, succeeded + skipped + failed + uncertain AS people,
                CASE WHEN scheduling_started_date IS NULL THEN -1 ELSE {wait} END AS wait,
                CASE WHEN execution_started_date IS NULL THEN -1 ELSE {run} END AS run
            FROM queued_task WHERE workflow_stopped_date >= $1 AND workflow_stopped_date < $2) AS ended
         GROUP BY minute, kind, status, problems, wait, run",
        db.minute_of("workflow_stopped_date")
    );
    let mut minutes: BTreeMap<(Instant, String), Throughput> = BTreeMap::new();
    for row in db.reader().query_all_raw(db.statement(&sql, [start.into(), end.into()])).await? {
        let minute = minutes.entry((row.try_get("", "minute")?, row.try_get("", "kind")?)).or_default();
        let (n, people): (i64, i64) = (row.try_get("", "n")?, row.try_get("", "people")?);
        let n = n.unsigned_abs();
        minute.people += people.unsigned_abs();
        match (row.try_get::<String>("", "status")?.as_str(), row.try_get::<bool>("", "problems")?) {
            ("COMPLETED", false) => minute.done += n,
            ("COMPLETED", true) => minute.problems += n,
            ("ABANDONED", _) => minute.abandoned += n,
            _ => {}
        }
        for (column, spans) in [("wait", &mut minute.waits), ("run", &mut minute.runs)] {
            // Never begun: there is no span.
            if let Ok(class) = usize::try_from(row.try_get::<i32>("", column)?) {
                spans.add(class, n);
            }
        }
    }
    for (of, n) in failed(db, start, end).await? {
        minutes.entry(of).or_default().failed += n;
    }
    Ok(minutes)
}

/// How many tasks failed, or could not start, by minute and kind: also those that have been retried since. The index is
/// `task_failure_final`.
async fn failed(db: &Database, start: Instant, end: Instant) -> Result<Vec<((Instant, String), u64)>, DbErr> {
    let sql = format!(
        "SELECT minute, kind, COUNT(*) AS n FROM (
            SELECT {} AS minute, f.kind FROM task_failure f
            JOIN task_attempt a ON a.task_id = f.task_id AND a.attempt = f.attempt
            WHERE f.failed_date >= $1 AND f.failed_date < $2 AND f.final AND a.outcome <> 'GIVEN_UP') AS failed
         GROUP BY minute, kind",
        db.minute_of("f.failed_date")
    );
    let rows = db.reader().query_all_raw(db.statement(&sql, [start.into(), end.into()])).await?;
    let read = |row: &QueryResult| {
        let n: i64 = row.try_get("", "n")?;
        Ok(((row.try_get("", "minute")?, row.try_get("", "kind")?), n.unsigned_abs()))
    };
    rows.iter().map(read).collect()
}

/// Puts these rows of one step in the place of those that are there.
async fn replace(
    db: &Database,
    txn: &impl ConnectionTrait,
    step: i64,
    (start, end): (Instant, Instant),
    rows: &BTreeMap<(Instant, String), Throughput>,
) -> Result<(), DbErr> {
    let gone = "DELETE FROM throughput WHERE step = $1 AND start_date >= $2 AND start_date < $3";
    txn.execute_raw(db.statement(gone, [step.into(), start.into(), end.into()])).await?;
    let signed = |n: u64| sea_orm::Value::from(i64::try_from(n).unwrap_or(i64::MAX));
    for ((at, kind), part) in rows {
        let sql = "INSERT INTO throughput
                (step, start_date, kind, done, problems, failed, abandoned, people, waits, runs)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let values = [
            step.into(),
            (*at).into(),
            kind.as_str().into(),
            signed(part.done),
            signed(part.problems),
            signed(part.failed),
            signed(part.abandoned),
            signed(part.people),
            part.waits.to_text().into(),
            part.runs.to_text().into(),
        ];
        txn.execute_raw(db.statement(sql, values)).await?;
    }
    Ok(())
}

fn read(row: &QueryResult) -> Result<Throughput, DbErr> {
    let number = |column: &str| row.try_get::<i64>("", column).map(i64::unsigned_abs);
    Ok(Throughput {
        done: number("done")?,
        problems: number("problems")?,
        failed: number("failed")?,
        abandoned: number("abandoned")?,
        people: number("people")?,
        waits: Histogram::of_text(&row.try_get::<String>("", "waits")?),
        runs: Histogram::of_text(&row.try_get::<String>("", "runs")?),
    })
}

fn sampled(row: &QueryResult) -> Result<HistoryPoint, DbErr> {
    let number = |column: &str| row.try_get::<i64>("", column).map(i64::unsigned_abs);
    Ok(HistoryPoint {
        date: row.try_get("", "start_date")?,
        waiting: number("waiting")?,
        running: number("running")?,
        retrying: number("retrying")?,
        stalled: number("stalled")?,
        oldest_seconds: number("oldest_seconds")?,
    })
}

/// The latest multiple of so many seconds.
fn floor(at: Instant, seconds: i64) -> Instant {
    at.duration_trunc(TimeDelta::seconds(seconds)).unwrap_or(at)
}
