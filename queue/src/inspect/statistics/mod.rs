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
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult, QueryTrait, Set,
    sea_query::{Expr, OnConflict},
};

use crate::{
    Database, Queue, Result, TaskColumn,
    entity::{queue_sample, throughput},
    lock::Lock,
    schedule::Work,
};
use histogram::{Histogram, class_of};

/// The steps that are kept, in seconds.
const MINUTE: i64 = 60;
const HOUR: i64 = 3_600;
/// How long minutes are kept, and how far back a first count goes.
const MINUTES_KEPT: i64 = 26 * HOUR;
/// How long hours are kept.
const HOURS_KEPT: i64 = 100 * 24 * HOUR;
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
    /// How long its last attempt took; of what was given up nothing, since it may have stood still.
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

/// The history of a span of time.
#[derive(Clone, Debug)]
pub struct History {
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
    pub async fn history(&self, span: i64, step: i64, kind: Option<&str>) -> Result<History> {
        let db = self.db();
        let now = db.now().await?;
        let kept = if step % HOUR == 0 { HOUR } else { MINUTE };
        let end = floor(now, step) + TimeDelta::seconds(step);
        let start = end - TimeDelta::seconds(span);
        let mut parts = vec![Throughput::default(); usize::try_from(span / step).unwrap_or_default()];
        let mut ended = throughput::Entity::find()
            .filter(throughput::Column::Step.eq(kept))
            .filter(throughput::Column::StartDate.gte(start));
        if let Some(kind) = kind {
            ended = ended.filter(throughput::Column::Kind.eq(kind));
        }
        for row in ended.all(db.reader()).await? {
            let part = usize::try_from((row.start_date - start).num_seconds() / step).unwrap_or(usize::MAX);
            if let Some(part) = parts.get_mut(part) {
                part.merge(&read(&row));
            }
        }
        // The worst of each part: a wait of a minute must not vanish in a day.
        let taken = queue_sample::Entity::find()
            .filter(queue_sample::Column::Step.eq(kept))
            .filter(queue_sample::Column::StartDate.gte(start))
            .order_by_asc(queue_sample::Column::StartDate);
        let mut samples: BTreeMap<i64, HistoryPoint> = BTreeMap::new();
        for row in taken.all(db.reader()).await? {
            let sample = sampled(&row);
            let worst = samples.entry((sample.date - start).num_seconds() / step).or_insert(sample);
            worst.waiting = worst.waiting.max(sample.waiting);
            worst.running = worst.running.max(sample.running);
            worst.retrying = worst.retrying.max(sample.retrying);
            worst.stalled = worst.stalled.max(sample.stalled);
            worst.oldest_seconds = worst.oldest_seconds.max(sample.oldest_seconds);
        }
        Ok(History { start, step, parts, samples: samples.into_values().collect() })
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
        let counted = throughput::Entity::find()
            .filter(throughput::Column::Step.eq(MINUTE))
            .filter(throughput::Column::StartDate.gte(from));
        for row in counted.all(&txn).await? {
            hours.entry((floor(row.start_date, HOUR), row.kind.clone())).or_default().merge(&read(&row));
        }
        replace(db, &txn, HOUR, (from, end), &hours).await?;
        for (step, kept) in [(MINUTE, MINUTES_KEPT), (HOUR, HOURS_KEPT)] {
            let old = throughput::Entity::delete_many()
                .filter(throughput::Column::Step.eq(step))
                .filter(throughput::Column::StartDate.lt(now - TimeDelta::seconds(kept)));
            txn.execute_raw(db.build(&old.into_query())).await?;
        }
        db.commit(txn).await?;
        Ok((end - start).num_minutes().max(0).unsigned_abs())
    }

    /// Notes how the queue is now: for its minute, and for its hour if it is the worst of that.
    pub async fn take_sample(&self) -> Result<()> {
        let (health, db) = (self.health().await?, self.db());
        let txn = db.begin_write().await?;
        for (step, kept) in [(MINUTE, MINUTES_KEPT), (HOUR, HOURS_KEPT)] {
            let sample = queue_sample::ActiveModel {
                step: Set(step as i32),
                start_date: Set(floor(health.at, step)),
                waiting: Set(signed(health.waiting)),
                running: Set(signed(health.running)),
                retrying: Set(signed(health.retrying)),
                stalled: Set(signed(health.stalled)),
                oldest_seconds: Set(signed(health.oldest_seconds.unwrap_or_default())),
            };
            let worst = queue_sample::Entity::insert(sample).on_conflict(the_worst());
            txn.execute_raw(db.build(&worst.into_query())).await?;
            let old = queue_sample::Entity::delete_many()
                .filter(queue_sample::Column::Step.eq(step))
                .filter(queue_sample::Column::StartDate.lt(health.at - TimeDelta::seconds(kept)));
            txn.execute_raw(db.build(&old.into_query())).await?;
        }
        Ok(db.commit(txn).await?)
    }
}

/// What becomes of the sample that is there: each number stays unless the other is larger.
fn the_worst() -> OnConflict {
    use sea_orm::sea_query::ExprTrait;

    use queue_sample::Column::{OldestSeconds, Retrying, Running, Stalled, StartDate, Step, Waiting};
    let worst = [Waiting, Running, Retrying, Stalled, OldestSeconds].map(|column| {
        let (new, old) = (Expr::col(("excluded", column)), Expr::col((queue_sample::Entity, column)));
        (column, Expr::case(new.clone().gt(old.clone()), new).finally(old).into())
    });
    OnConflict::columns([Step, StartDate]).values(worst).to_owned()
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
    let column = |column: TaskColumn| Expr::col(column);
    let waited = db.seconds_between(column(TaskColumn::TriggerDate), column(TaskColumn::SchedulingStartedDate));
    let ran = db.seconds_between(column(TaskColumn::ExecutionStartedDate), column(TaskColumn::WorkflowStoppedDate));
    let sql = "SELECT minute, kind, status, problems, wait, run, COUNT(*) AS n, CAST(SUM(people) AS bigint) AS people,
            CAST(MAX(waited) * 1000 AS bigint) AS longest_wait, CAST(MAX(ran) * 1000 AS bigint) AS longest_run FROM (
            SELECT $1 AS minute, execution_component_name AS kind, workflow_status AS status,
                failed + uncertain > 0 AS problems, succeeded + skipped + failed + uncertain AS people,
                CASE WHEN scheduling_started_date IS NULL THEN -1 ELSE $2 END AS wait,
                CASE WHEN execution_started_date IS NULL OR workflow_status = 'ABANDONED' THEN -1 ELSE $3 END AS run,
                $6 AS waited, $7 AS ran
            FROM queued_task WHERE workflow_stopped_date >= $4 AND workflow_stopped_date < $5) AS ended
         GROUP BY minute, kind, status, problems, wait, run";
    let minute = db.minute_of(column(TaskColumn::WorkflowStoppedDate));
    let [wait, run] = [&waited, &ran].map(|span| class_of(span.clone()));
    let ended = db.composed(sql, [minute, wait, run, start.into(), end.into(), waited, ran]);
    let mut minutes: BTreeMap<(Instant, String), Throughput> = BTreeMap::new();
    for row in db.reader().query_all_raw(ended).await? {
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
        let spans = [("wait", "longest_wait", &mut minute.waits), ("run", "longest_run", &mut minute.runs)];
        for (column, longest, spans) in spans {
            // Never begun: there is no span.
            if let Ok(class) = usize::try_from(row.try_get::<i32>("", column)?) {
                let longest: Option<i64> = row.try_get("", longest)?;
                spans.add(class, n, longest.unwrap_or_default().max(0).unsigned_abs());
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
    let sql = "SELECT minute, kind, COUNT(*) AS n FROM (
            SELECT $1 AS minute, f.kind FROM task_failure f
            JOIN task_attempt a ON a.task_id = f.task_id AND a.attempt = f.attempt
            WHERE f.failed_date >= $2 AND f.failed_date < $3 AND f.final AND a.outcome <> 'GIVEN_UP') AS failed
         GROUP BY minute, kind";
    let minute = db.minute_of(Expr::col(("f", "failed_date")));
    let rows = db.reader().query_all_raw(db.composed(sql, [minute, start.into(), end.into()])).await?;
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
    let gone = throughput::Entity::delete_many()
        .filter(throughput::Column::Step.eq(step))
        .filter(throughput::Column::StartDate.gte(start))
        .filter(throughput::Column::StartDate.lt(end));
    txn.execute_raw(db.build(&gone.into_query())).await?;
    for ((at, kind), part) in rows {
        let row = throughput::ActiveModel {
            step: Set(step as i32),
            start_date: Set(*at),
            kind: Set(kind.clone()),
            done: Set(signed(part.done)),
            problems: Set(signed(part.problems)),
            failed: Set(signed(part.failed)),
            abandoned: Set(signed(part.abandoned)),
            people: Set(signed(part.people)),
            waits: Set(part.waits.to_text()),
            runs: Set(part.runs.to_text()),
        };
        txn.execute_raw(db.build(&throughput::Entity::insert(row).into_query())).await?;
    }
    Ok(())
}

fn read(row: &throughput::Model) -> Throughput {
    Throughput {
        done: row.done.unsigned_abs(),
        problems: row.problems.unsigned_abs(),
        failed: row.failed.unsigned_abs(),
        abandoned: row.abandoned.unsigned_abs(),
        people: row.people.unsigned_abs(),
        waits: Histogram::of_text(&row.waits),
        runs: Histogram::of_text(&row.runs),
    }
}

fn sampled(row: &queue_sample::Model) -> HistoryPoint {
    HistoryPoint {
        date: row.start_date,
        waiting: row.waiting.unsigned_abs(),
        running: row.running.unsigned_abs(),
        retrying: row.retrying.unsigned_abs(),
        stalled: row.stalled.unsigned_abs(),
        oldest_seconds: row.oldest_seconds.unsigned_abs(),
    }
}

/// As a table has it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The latest multiple of so many seconds.
fn floor(at: Instant, seconds: i64) -> Instant {
    at.duration_trunc(TimeDelta::seconds(seconds)).unwrap_or(at)
}
