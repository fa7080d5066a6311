//! What failures cost, and how a task goes on after one.

use std::time::Duration;

use async_trait::async_trait;
use model::{AttemptOutcome, TaskErrorCode, WorkflowStatus};
use queue::{Chunk, Executor, Failure, NewTask, Queue, Registry, Run, Runtime, Settings, Step};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use testkit::On;

use crate::fixture::{Fixture, OWNER, settings};

testkit::on_both!(
    a_failed_chunk_is_rolled_back_and_done_again,
    a_failure_waits_for_its_backoff_and_blocks_nobody,
    the_budget_ends_in_failure_and_a_retry_renews_it,
    a_permanent_failure_is_not_tried_again,
    a_panic_is_a_failure_and_not_the_end_of_the_runtime,
    a_panic_between_two_chunks_costs_a_failure_too,
    a_spec_that_went_bad_could_not_start,
    a_failure_is_told_in_words_that_every_database_keeps,
    a_refusal_by_the_database_is_not_called_silence,
);

fn transient() -> Failure {
    Failure::transient(TaskErrorCode::SelfTest, "not now")
}

async fn a_failed_chunk_is_rolled_back_and_done_again(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(4).await;
    f.mood.fail(3, 1, transient());
    f.settle(&runtime).await;
    let waiting = f.task(id).await;
    assert_eq!((waiting.workflow_status, waiting.failures), (WorkflowStatus::Queued, 1));
    assert_eq!(waiting.workflow_status_desc.as_deref(), Some("self_test: not now"));
    assert_eq!((waiting.execution_state.as_str(), waiting.succeeded), (r#"{"step":2}"#, 2));
    f.test.clock.advance(Duration::from_secs(11));
    f.settle(&runtime).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 2), (4, 2)], "each step once");
    let done = f.task(id).await;
    assert_eq!((done.succeeded, done.workflow_status_desc), (4, None));
}

async fn a_failure_waits_for_its_backoff_and_blocks_nobody(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let runtime = f.runtime().await;
    let failing = f.steps(1).await;
    f.mood.fail(1, 1, transient());
    f.settle(&runtime).await;
    let waiting = f.task(failing).await;
    let wait = (waiting.trigger_date - waiting.modified_date).num_milliseconds();
    assert!((4_900..=10_100).contains(&wait), "half to all of ten seconds, not {wait} ms");
    let next = f.steps(1).await;
    f.settle(&runtime).await;
    assert_eq!(f.status(next).await, WorkflowStatus::Completed);
    assert_eq!(f.status(failing).await, WorkflowStatus::Queued);
}

async fn the_budget_ends_in_failure_and_a_retry_renews_it(on: On) {
    let f = Fixture::with(on, Settings { max_failures: 3, ..settings() }).await;
    let runtime = f.runtime().await;
    let id = f.steps(2).await;
    f.mood.fail(2, 3, transient());
    for _ in 0..3 {
        f.settle(&runtime).await;
        f.test.clock.advance(Duration::from_secs(3600));
    }
    f.settle(&runtime).await;
    let failed = f.task(id).await;
    assert_eq!((failed.workflow_status, failed.failures, failed.attempt), (WorkflowStatus::Failure, 3, 3));

    f.mood.fail(2, 1, transient());
    let txn = f.test.db.begin_write().await.unwrap();
    let retried = f.queue.retry(&txn, id, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!((retried.failures, retried.attempt), (0, 3), "fresh budget, but the attempts go on");
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Queued, "one failure does not exhaust a fresh budget");
    f.test.clock.advance(Duration::from_secs(3600));
    f.settle(&runtime).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 5)]);
}

async fn a_permanent_failure_is_not_tried_again(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(2).await;
    f.mood.fail(2, 1, Failure::permanent(TaskErrorCode::SelfTest, "never"));
    f.settle(&runtime).await;
    let failed = f.task(id).await;
    assert_eq!((failed.workflow_status, failed.failures), (WorkflowStatus::Failure, 1));
    assert_eq!(f.effects(id).await, [(1, 1)]);
    let attempts = f.queue.attempts(id).await.unwrap();
    assert_eq!(
        (attempts[0].outcome(), attempts[0].error_code.as_deref()),
        (Some(AttemptOutcome::Failed), Some("self_test"))
    );
}

async fn a_panic_is_a_failure_and_not_the_end_of_the_runtime(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let runtime = f.runtime().await;
    let id = f.add(NewTask::new("self-test", json!({ "outcome": "panic", "failTimes": 1 }), OWNER)).await;
    f.settle(&runtime).await;
    let failed = f.task(id).await;
    assert_eq!(failed.failures, 1);
    assert_eq!(failed.workflow_status_desc.as_deref(), Some("panic: asked to panic"));
    f.test.clock.advance(Duration::from_secs(11));
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}

/// A kind that panics while it prepares a chunk.
struct Stumbling;

#[async_trait]
impl Run for Stumbling {
    async fn prepare(&mut self, _: &queue::ChunkContext<'_>) -> Result<(), Failure> {
        std::panic::panic_any("stumbled");
    }

    async fn chunk(&mut self, _: &Chunk<'_>) -> Result<Step, Failure> {
        unreachable!("it never gets there")
    }
}

impl Executor for Stumbling {
    fn kind(&self) -> &'static str {
        "stumbling"
    }

    fn build(&self, _: &Value) -> Result<Box<dyn Run>, String> {
        Ok(Box::new(Stumbling))
    }
}

async fn a_panic_between_two_chunks_costs_a_failure_too(on: On) {
    let f = Fixture::new(on).await;
    let registry = Registry::default().with(Stumbling);
    let queue = Queue::new(f.test.db.clone(), registry, Settings { max_failures: 1, ..settings() });
    let txn = f.test.db.begin_write().await.unwrap();
    let id = queue.enqueue(&txn, NewTask::new("stumbling", json!({}), OWNER)).await.unwrap().task().id;
    f.test.db.commit(txn).await.unwrap();
    f.settle(&Runtime::unguarded(&queue).await.unwrap()).await;
    let failed = f.task(id).await;
    assert_eq!(failed.workflow_status_desc.as_deref(), Some("panic: stumbled"));
    assert_eq!((failed.workflow_status, failed.failures), (WorkflowStatus::Failure, 1));
}

async fn a_spec_that_went_bad_could_not_start(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    txn.execute_unprepared("UPDATE queued_task SET execution_spec = '{'").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    f.settle(&runtime).await;
    let task = f.task(id).await;
    assert_eq!((task.workflow_status, task.failures), (WorkflowStatus::Error, 0));
}

async fn a_failure_is_told_in_words_that_every_database_keeps(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::SelfTest, format!("not\0 now{}", "!".repeat(10_000))));
    f.settle(&runtime).await;
    let waiting = f.task(id).await;
    assert_eq!((waiting.workflow_status, waiting.failures), (WorkflowStatus::Queued, 1));
    let told = waiting.workflow_status_desc.unwrap();
    assert!(told.starts_with("self_test: not now!") && told.len() < 5_000, "{} bytes", told.len());
}

/// What the database refuses has been answered; only what was not answered is an outage.
async fn a_refusal_by_the_database_is_not_called_silence(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let refused = txn.execute_unprepared("UPDATE queued_task SET workflow_status = NULL").await.unwrap_err();
    drop(txn);
    f.mood.fail(1, 1, Failure::Database(refused));
    f.settle(&runtime).await;
    let told = f.task(id).await.workflow_status_desc.unwrap();
    assert!(told.starts_with("database_refused: "), "{told}");
}
