//! A queue on a fresh database, a kind whose every effect leaves a row, and the questions tests ask.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use model::{AccountId, TaskId, WorkflowStatus};
use queue::{
    Chunk, Database, DatabaseLimits, Executor, Failure, NewTask, Progress, Queue, Registry, Run, Runtime, Settings,
    Step, Task, self_test::SelfTest, test_hooks::Probe,
};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use testkit::{On, TestDb};

pub const OWNER: AccountId = AccountId::from_u128(0xA);

/// How the chunks of [`Steps`] go wrong, told by tests while they run.
#[derive(Clone, Default)]
pub struct Mood {
    /// The step that fails, and how often it still will.
    pub fails: Arc<Mutex<Option<(u64, Failure)>>>,
    pub times: Arc<AtomicU32>,
}

impl Mood {
    pub fn fail(&self, step: u64, times: u32, failure: Failure) {
        *self.fails.lock().unwrap() = Some((step, failure));
        self.times.store(times, Ordering::SeqCst);
    }

    fn verdict(&self, step: u64) -> Result<(), Failure> {
        let fails = self.fails.lock().unwrap().clone();
        // At once, as several runs may be at that step.
        let is_left =
            || self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |times| times.checked_sub(1)).is_ok();
        match fails {
            Some((at, failure)) if at == step && is_left() => Err(failure),
            _ => Ok(()),
        }
    }
}

/// A kind of `{"steps": n}`: each chunk writes one row, after which it may fail, so that a rollback shows.
pub struct Steps(pub Mood);

struct StepsRun {
    steps: u64,
    mood: Mood,
}

impl Executor for Steps {
    fn kind(&self) -> &'static str {
        "steps"
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let steps = spec["steps"].as_u64().ok_or("steps: a number")?;
        Ok(Box::new(StepsRun { steps, mood: self.0.clone() }))
    }
}

#[async_trait]
impl Run for StepsRun {
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let step = chunk.bookmark["step"].as_u64().unwrap_or_default() + 1;
        chunk
            .txn
            .execute_raw(chunk.db.statement(
                "INSERT INTO effect (task_id, step, attempt) VALUES ($1, $2, $3)",
                [chunk.task.id.into(), step.cast_signed().into(), chunk.task.attempt.into()],
            ))
            .await?;
        self.mood.verdict(step)?;
        let total = Some(self.steps.cast_signed());
        let progress = Progress { bookmark: json!({ "step": step }), total, succeeded: 1, ..Progress::default() };
        Ok(if step >= self.steps { Step::Done(progress) } else { Step::More(progress) })
    }
}

pub struct Fixture {
    pub test: TestDb,
    pub queue: Queue,
    pub mood: Mood,
}

/// Settings whose waits are long, so that a test that passes did not pass by polling, and without limits.
pub fn settings() -> Settings {
    let long = Duration::from_secs(3600);
    Settings { poll_interval: long, lease: LEASE, per_owner: 1_000, ..Settings::default() }
}

/// The longest that a condition is waited for, on a machine that has much else to do. The poll is much further away.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub use testkit::LEASE;

impl Fixture {
    pub async fn new(on: On) -> Fixture {
        Fixture::with(on, settings()).await
    }

    pub async fn with(on: On, settings: Settings) -> Fixture {
        Fixture::made(TestDb::new(on).await.unwrap(), settings).await
    }

    /// On SQLite, in memory if possible.
    pub async fn in_memory(settings: Settings) -> Fixture {
        Fixture::made(TestDb::in_memory().await.unwrap(), settings).await
    }

    async fn made(test: TestDb, settings: Settings) -> Fixture {
        let txn = test.db.begin_write().await.unwrap();
        let id = if test.db.is_postgres() { "uuid" } else { "blob" };
        txn.execute_unprepared(&format!("CREATE TABLE effect (task_id {id}, step bigint, attempt integer)"))
            .await
            .unwrap();
        test.db.commit(txn).await.unwrap();
        Fixture::at(test, settings)
    }

    /// On a database that another one has left.
    pub fn at(test: TestDb, settings: Settings) -> Fixture {
        let mood = Mood::default();
        let queue = Queue::new(test.db.clone(), registry(&mood), settings);
        Fixture { test, queue, mood }
    }

    /// Takes everything off the tables: a new database costs more.
    pub async fn clear(&self) {
        let txn = self.test.db.begin_write().await.unwrap();
        let tables =
            ["effect", "task_attempt", "queued_task", "process", "scheduler_lock", "schedule_fire", "schedule"];
        for table in tables {
            txn.execute_unprepared(&format!("DELETE FROM {table}")).await.unwrap();
        }
        self.test.db.commit(txn).await.unwrap();
    }

    /// Lets everything begin anew on the same connections, which cost more than what they are used for.
    pub async fn begin_anew(&mut self) {
        self.clear().await;
        self.mood = Mood::default();
        self.queue = Queue::new(self.test.db.clone(), registry(&self.mood), self.queue.settings().clone());
    }

    /// The same database once more, with limits of its own.
    pub async fn connected(&self, limits: DatabaseLimits) -> Database {
        Database::connect_with(&self.test.url, self.test.clock.clone(), limits).await.unwrap()
    }

    /// A queue on the same database, by other connections.
    pub fn queue_by(&self, db: &Database) -> Queue {
        Queue::new(db.clone(), registry(&self.mood), self.queue.settings().clone())
    }

    /// Another queue on the same database, with limits of its own, whose runs can be held.
    pub async fn limited(&self, limits: DatabaseLimits, probe: Probe) -> Queue {
        Queue::with_probe(self.connected(limits).await, registry(&self.mood), self.queue.settings().clone(), probe)
    }

    /// Another queue on the same database, whose runs can be held.
    pub fn other(&self, probe: Probe) -> Queue {
        Queue::with_probe(self.test.db.clone(), registry(&self.mood), self.queue.settings().clone(), probe)
    }

    /// Lets so much time pass that every process that has not beaten since counts as dead.
    pub fn silence(&self) {
        self.test.clock.advance(LEASE + Duration::from_secs(1));
    }

    pub async fn runtime(&self) -> Runtime {
        Runtime::unguarded(&self.queue).await.unwrap()
    }

    pub async fn add(&self, new: NewTask) -> TaskId {
        let txn = self.test.db.begin_write().await.unwrap();
        let task = self.queue.enqueue(&txn, new).await.unwrap().task();
        self.test.db.commit(txn).await.unwrap();
        task.id
    }

    pub async fn steps(&self, steps: u64) -> TaskId {
        self.add(steps_task(steps)).await
    }

    pub async fn task(&self, id: TaskId) -> Task {
        self.queue.task(id).await.unwrap().unwrap()
    }

    pub async fn status(&self, id: TaskId) -> WorkflowStatus {
        self.task(id).await.workflow_status
    }

    /// Every effect of a task, as (step, attempt).
    pub async fn effects(&self, id: TaskId) -> Vec<(i64, i32)> {
        let db = &self.test.db;
        let sql = "SELECT step, attempt FROM effect WHERE task_id = $1 ORDER BY step, attempt";
        let rows = db.reader().query_all_raw(db.statement(sql, [id.into()])).await.unwrap();
        rows.iter().map(|row| (row.try_get("", "step").unwrap(), row.try_get("", "attempt").unwrap())).collect()
    }

    /// Claims and runs what is due, until nothing is.
    pub async fn settle(&self, runtime: &Runtime) {
        while runtime.tick().await.unwrap() > 0 {
            runtime.idle().await;
        }
    }

    /// Waits for a state, with a bound.
    pub async fn until(&self, id: TaskId, status: WorkflowStatus) -> Task {
        let mut changes = self.queue.changes();
        let wait = async {
            loop {
                let task = self.task(id).await;
                if task.workflow_status == status {
                    return task;
                }
                let _ = tokio::time::timeout(Duration::from_millis(200), changes.recv()).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("the state was not reached")
    }
}

pub fn steps_task(steps: u64) -> NewTask {
    NewTask::new("steps", json!({ "steps": steps }), OWNER)
}

pub fn registry(mood: &Mood) -> Registry {
    Registry::default().with(Steps(mood.clone())).with(SelfTest)
}
