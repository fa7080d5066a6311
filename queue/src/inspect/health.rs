//! How the queue is, in a handful of numbers. Each is read off a partial index and ends at a limit, so that looking once a
//! second costs the same with a million tasks behind it.

use std::collections::HashMap;

use model::{AccountId, Instant, task::TaskGroup};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use crate::{
    COUNTED, Database, Dead, Queue, Result, TaskSearch, claim::due::runs_alone, entity::paused_kind,
    inspect::search::queued_by_kind, process::alive::lives,
};

/// How long back failures and ends are counted, in seconds.
const HOUR: i64 = 3_600;
const MINUTE: i64 = 60;

/// The state of the queue at an instant. Counts end at [`COUNTED`] and one more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    pub at: Instant,
    /// Due, and with nobody yet.
    pub waiting: u64,
    /// How long the oldest of them has been due, in seconds.
    pub oldest_seconds: Option<u64>,
    /// With a process.
    pub running: u64,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: u64,
    /// To be tried again later.
    pub retrying: u64,
    /// To be begun later, or held back.
    pub scheduled: u64,
    /// Tasks that ended of a failure within the last hour and have not been retried, by their cause; most first. Of all causes
    /// together no more are counted than of anything else.
    pub dead: Vec<Dead>,
    /// Tasks that were completed within the last minute.
    pub done_minute: u64,
}

/// A process as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessRow {
    pub id: String,
    pub system_id: String,
    pub host: String,
    pub version: String,
    pub started_date: Instant,
    /// Its last sign of life; none where it need not give any.
    pub heartbeat_date: Option<Instant>,
    pub slots: u64,
    /// Tasks that the table says are with it.
    pub busy: u64,
    /// Whether what it runs has it to itself: two processes died at that.
    pub runs_alone: bool,
    pub state: ProcessState,
    /// The kinds it can run.
    pub kinds: Vec<String>,
}

impl ProcessRow {
    /// In how many slots it would start something.
    pub fn free_slots(&self) -> u64 {
        if self.runs_alone { 0 } else { self.slots.saturating_sub(self.busy) }
    }

    /// Whether it would start something that has to run alone.
    pub fn is_idle(&self) -> bool {
        self.busy == 0
    }
}

/// How a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessState {
    Up,
    /// Takes nothing more, and finishes what it has.
    Stopping,
    /// Not heard of for a lease: others take its tasks.
    Silent,
}

/// A kind of task as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindRow {
    pub kind: String,
    pub paused: Option<Paused>,
    /// The processes that are up and can run it.
    pub known_by: u64,
    /// If there are more than [`COUNTED`] of all kinds that nobody has begun, at least so many; so are the next two.
    pub waiting: u64,
    pub retrying: u64,
    pub scheduled: u64,
    /// Whether that is all of them.
    pub all_counted: bool,
    pub running: u64,
    /// The most that run at once.
    pub limit: Option<u32>,
    /// How long a chunk may take, in seconds.
    pub deadline_seconds: u64,
}

/// Since when a kind is paused, by whom and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paused {
    pub date: Instant,
    pub by: AccountId,
    pub reason: Option<String>,
}

impl Queue {
    /// The state of the queue.
    pub async fn health(&self) -> Result<Health> {
        let db = self.db();
        let at = db.now().await?;
        // The indexes are `queued_task_due`, `queued_task_process` and `queued_task_ended`.
        let oldest = "SELECT trigger_date FROM queued_task
            WHERE workflow_status = 'QUEUED' AND trigger_date <= $1 ORDER BY trigger_date LIMIT 1";
        let done = "SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM queued_task
            WHERE workflow_stopped_date > $1 AND workflow_status = 'COMPLETED' LIMIT $2) AS done";
        let most = || sea_orm::Value::from((COUNTED + 1).cast_signed());
        let since = |seconds| at - chrono::TimeDelta::seconds(seconds);
        let oldest = db.reader().query_one_raw(db.statement(oldest, [at.into()])).await?;
        let oldest: Option<Instant> = oldest.map(|row| row.try_get("", "trigger_date")).transpose()?;
        // Each with a limit of its own, so that many of the one sort do not hide the other.
        let of = |group: TaskGroup| TaskSearch { states: group.states(), ..TaskSearch::default() };
        let searches = [
            of(TaskGroup::Waiting),
            of(TaskGroup::ToRetry),
            of(TaskGroup::Scheduled),
            of(TaskGroup::Running),
            TaskSearch { stalled: true, ..TaskSearch::default() },
        ];
        let [waiting, retrying, scheduled, running, stalled] = self.counts(&searches, at, COUNTED).await?[..] else {
            return Err(DbErr::RecordNotFound("count".to_owned()).into());
        };
        Ok(Health {
            at,
            waiting,
            oldest_seconds: oldest.map(|since| (at - since).num_seconds().max(0).unsigned_abs()),
            running,
            stalled,
            retrying,
            scheduled,
            dead: self.died_since(since(HOUR), COUNTED + 1).await?,
            done_minute: number(db, done, [since(MINUTE).into(), most()]).await?,
        })
    }

    /// Every process there is, by name: those that run tasks.
    pub async fn processes(&self) -> Result<Vec<ProcessRow>> {
        let (db, lease) = (self.db(), self.inner.settings.lease);
        let sql = "SELECT p.*, $1 AS alive, (SELECT COUNT(*) FROM queued_task t WHERE t.scheduled_by_process = p.id) AS with_it,
                EXISTS (SELECT 1 FROM queued_task t
                    WHERE t.scheduled_by_process = p.id AND $2) AS suspects
             FROM process p ORDER BY p.system_id, p.id";
        let parts = [lives(db, "p", lease), runs_alone(db, "t.crashes")];
        let mut found = Vec::new();
        for row in db.reader().query_all_raw(db.composed(sql, parts)).await? {
            found.push(ProcessRow {
                id: row.try_get("", "id")?,
                system_id: row.try_get("", "system_id")?,
                host: row.try_get("", "host")?,
                version: row.try_get("", "version")?,
                started_date: row.try_get("", "started_date")?,
                heartbeat_date: db.is_shared().then(|| row.try_get("", "heartbeat_date")).transpose()?,
                slots: row.try_get::<i32>("", "slots")?.unsigned_abs().into(),
                busy: row.try_get::<i64>("", "with_it")?.unsigned_abs(),
                state: match (row.try_get("", "alive")?, row.try_get("", "stopping")?) {
                    (false, _) => ProcessState::Silent,
                    (true, true) => ProcessState::Stopping,
                    (true, false) => ProcessState::Up,
                },
                runs_alone: row.try_get("", "suspects")?,
                kinds: serde_json::from_str(&row.try_get::<String>("", "kinds")?).unwrap_or_default(),
            });
        }
        Ok(found)
    }

    /// Whether a kind is paused, and why.
    pub async fn paused(&self, kind: &str) -> Result<Option<Paused>> {
        Ok(paused_kind::Entity::find_by_id(kind).one(self.db().reader()).await?.as_ref().map(paused))
    }

    /// The kinds that this process knows, that another one knows, or that tasks wait for; by name.
    pub async fn kind_rows(&self) -> Result<Vec<KindRow>> {
        let (db, settings) = (self.db(), &self.inner.settings);
        let mut rows: HashMap<String, KindRow> = HashMap::new();
        let row = |kind: &str| KindRow {
            kind: kind.to_owned(),
            paused: None,
            known_by: 0,
            waiting: 0,
            retrying: 0,
            scheduled: 0,
            all_counted: true,
            running: 0,
            limit: settings.per_kind.get(kind).copied(),
            deadline_seconds: settings.deadline_of(kind).as_secs(),
        };
        for kind in self.kinds() {
            rows.insert(kind.to_owned(), row(kind));
        }
        for process in self.processes().await?.iter().filter(|process| process.state == ProcessState::Up) {
            for kind in &process.kinds {
                rows.entry(kind.clone()).or_insert_with(|| row(kind)).known_by += 1;
            }
        }
        let running = "SELECT execution_component_name AS kind, COUNT(*) AS n FROM queued_task {by queued_task_process}
            WHERE scheduled_by_process IS NOT NULL GROUP BY execution_component_name";
        for (kind, group, n) in queued_by_kind(self, COUNTED + 1).await? {
            let row = rows.entry(kind.clone()).or_insert_with(|| row(&kind));
            match group {
                TaskGroup::Scheduled => row.scheduled += n,
                TaskGroup::ToRetry => row.retrying += n,
                _ => row.waiting += n,
            }
        }
        let all = rows.values().map(|row| row.waiting + row.retrying + row.scheduled).sum::<u64>() <= COUNTED;
        rows.values_mut().for_each(|row| row.all_counted = all);
        for found in db.reader().query_all_raw(db.statement(running, [])).await? {
            let kind: String = found.try_get("", "kind")?;
            let n = found.try_get::<i64>("", "n")?.unsigned_abs();
            rows.entry(kind.clone()).or_insert_with(|| row(&kind)).running = n;
        }
        for found in paused_kind::Entity::find().all(db.reader()).await? {
            rows.entry(found.kind.clone()).or_insert_with(|| row(&found.kind)).paused = Some(paused(&found));
        }
        let mut rows: Vec<KindRow> = rows.into_values().collect();
        rows.sort_by(|one, other| one.kind.cmp(&other.kind));
        Ok(rows)
    }
}

fn paused(row: &paused_kind::Model) -> Paused {
    Paused { date: row.paused_date, by: row.paused_by, reason: row.reason.clone() }
}

async fn number(db: &Database, sql: &str, values: impl IntoIterator<Item = sea_orm::Value>) -> Result<u64, DbErr> {
    let row = db.reader().query_one_raw(db.statement(sql, values)).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("count".to_owned()))?;
    Ok(row.try_get_by_index::<i64>(0)?.unsigned_abs())
}
