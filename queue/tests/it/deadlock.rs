//! A chunk and somebody else take the same two rows in opposite order, and PostgreSQL ends the chunk: it is done again.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use async_trait::async_trait;
use model::WorkflowStatus;
use queue::{Chunk, Database, Executor, Failure, NewTask, Progress, Queue, Registry, Run, Runtime, Step, Transaction};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use testkit::On;
use tokio::sync::Barrier;

use crate::fixture::{Fixture, OWNER, settings};

testkit::tests!(a_chunk_that_lost_a_deadlock_is_done_again_and_is_no_failure);

/// A kind that adds to the first row and then to the second. Its first chunk lets somebody else take the second in between.
#[derive(Clone)]
struct Crossing {
    tries: Arc<AtomicU32>,
    has_first: Arc<Barrier>,
}

impl Executor for Crossing {
    fn kind(&self) -> &'static str {
        "crossing"
    }

    fn build(&self, _: &Value) -> Result<Box<dyn Run>, String> {
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl Run for Crossing {
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        add(chunk.txn, 1).await?;
        if self.tries.fetch_add(1, Ordering::SeqCst) == 0 {
            self.has_first.wait().await;
            until_somebody_waits(chunk.db).await;
            // It notices first.
            chunk.txn.execute_unprepared("SET LOCAL deadlock_timeout = '10ms'").await?;
        }
        add(chunk.txn, 2).await?;
        Ok(Step::Done(Progress { bookmark: json!({}), total: Some(1), succeeded: 1, ..Progress::default() }))
    }
}

async fn add(txn: &Transaction, id: i32) -> Result<(), sea_orm::DbErr> {
    txn.execute_unprepared(&format!("UPDATE crossed SET added = added + 1 WHERE id = {id}")).await.map(drop)
}

/// Waits until somebody waits for a row that is locked here.
async fn until_somebody_waits(db: &Database) {
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
               WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0) AS waits";
    while !db
        .reader()
        .query_one_raw(db.statement(sql, []))
        .await
        .unwrap()
        .unwrap()
        .try_get::<bool>("", "waits")
        .unwrap()
    {
        tokio::task::yield_now().await;
    }
}

async fn a_chunk_that_lost_a_deadlock_is_done_again_and_is_no_failure() {
    let f = Fixture::new(On::Postgres).await;
    let db = &f.test.db;
    db.write("CREATE TABLE crossed AS SELECT id, 0 AS added FROM generate_series(1, 2) AS id", []).await.unwrap();
    let crossing = Crossing { tries: Arc::default(), has_first: Arc::new(Barrier::new(2)) };
    let queue = Queue::new(db.clone(), Registry::default().with(crossing.clone()), settings());
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    let txn = db.begin_write().await.unwrap();
    let task = queue.enqueue(&txn, NewTask::new("crossing", json!({}), OWNER)).await.unwrap().task();
    db.commit(txn).await.unwrap();

    runtime.tick().await.unwrap();
    crossing.has_first.wait().await;
    let other = db.begin_write().await.unwrap();
    other.execute_unprepared("SET LOCAL deadlock_timeout = '1h'; SET LOCAL lock_timeout = 0").await.unwrap();
    add(&other, 2).await.unwrap();
    add(&other, 1).await.unwrap();
    db.commit(other).await.unwrap();
    runtime.idle().await;

    let done = f.task(task.id).await;
    assert_eq!((done.workflow_status, done.failures, done.crashes), (WorkflowStatus::Completed, 0, 0));
    assert_eq!((done.attempt, done.succeeded), (1, 1));
    assert_eq!(crossing.tries.load(Ordering::SeqCst), 2, "the first was ended");
    let rows = db.reader().query_all_raw(db.statement("SELECT added FROM crossed ORDER BY id", [])).await.unwrap();
    let added: Vec<i32> = rows.iter().map(|row| row.try_get("", "added").unwrap()).collect();
    assert_eq!(added, [2, 2], "once by each of the two");
}
