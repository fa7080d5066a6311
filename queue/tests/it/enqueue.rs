//! Promises 1 and 2: nothing lost, nothing from nothing.

use model::{AttemptOutcome, WorkflowStatus};
use queue::{Enqueued, Error, Idempotency, NewTask};
use serde_json::json;
use testkit::On;

use crate::fixture::{Fixture, OWNER, steps_task};

testkit::tests!(an_enqueue_notifies_nobody_from_within_the_transaction);

testkit::on_both!(
    a_rolled_back_enqueue_leaves_no_task,
    a_committed_enqueue_runs_to_the_end,
    an_unknown_kind_is_refused,
    a_spec_that_cannot_be_read_is_refused,
    the_same_key_is_the_same_task,
    the_same_id_is_the_same_task,
);

async fn a_rolled_back_enqueue_leaves_no_task(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let txn = f.test.db.begin_write().await.unwrap();
    let task = f.queue.enqueue(&txn, steps_task(1)).await.unwrap().task();
    f.queue.wake();
    txn.rollback().await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 0);
    assert!(f.queue.task(task.id).await.unwrap().is_none());
}

async fn a_committed_enqueue_runs_to_the_end(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(3).await;
    let waiting = f.task(id).await;
    assert_eq!((waiting.attempt, waiting.trigger_date), (0, waiting.created_date));
    f.settle(&runtime).await;
    let done = f.task(id).await;
    assert_eq!(done.workflow_status, WorkflowStatus::Completed);
    assert_eq!((done.total, done.succeeded, done.attempt), (Some(3), 3, 1));
    assert_eq!((done.scheduled_by_process, done.deadline), (None, None));
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1)]);
    let attempts = f.queue.attempts(id).await.unwrap();
    assert_eq!(attempts[0].outcome(), Some(AttemptOutcome::Completed));
}

async fn an_unknown_kind_is_refused(on: On) {
    let f = Fixture::new(on).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let refused = f.queue.enqueue(&txn, NewTask::new("nonesuch", json!({}), OWNER)).await;
    assert!(matches!(refused, Err(Error::UnknownKind(kind)) if kind == "nonesuch"));
}

async fn a_spec_that_cannot_be_read_is_refused(on: On) {
    let f = Fixture::new(on).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let refused = f.queue.enqueue(&txn, NewTask::new("steps", json!({ "steps": "many" }), OWNER)).await;
    assert!(matches!(refused, Err(Error::BadSpec { .. })));
}

async fn the_same_key_is_the_same_task(on: On) {
    let f = Fixture::new(on).await;
    let keyed = |hash: &str| {
        let idempotency = Some(Idempotency { key: "k".into(), request_hash: hash.into() });
        NewTask { idempotency, ..steps_task(1) }
    };
    let first = f.add(keyed("same")).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let again = f.queue.enqueue(&txn, keyed("same")).await.unwrap();
    assert!(matches!(again, Enqueued::Existing(task) if task.id == first));
    let other = f.queue.enqueue(&txn, keyed("other")).await;
    assert!(matches!(other, Err(Error::KeyReused)));
}

async fn the_same_id_is_the_same_task(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let again = f.queue.enqueue(&txn, NewTask { id: Some(id), ..steps_task(1) }).await.unwrap();
    assert!(matches!(again, Enqueued::Existing(task) if task.id == id));
}

async fn an_enqueue_notifies_nobody_from_within_the_transaction() {
    let f = Fixture::new(On::Postgres).await;
    let mut listener = sqlx::postgres::PgListener::connect(&f.test.url).await.unwrap();
    listener.listen("docket_queue").await.unwrap();
    f.steps(1).await;
    f.test.db.write("SELECT pg_notify('docket_queue', 'afterwards')", []).await.unwrap();
    // They come in the order of their commits.
    assert_eq!(listener.recv().await.unwrap().payload(), "afterwards");
}
