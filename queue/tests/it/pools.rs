//! On PostgreSQL requests and tasks have connections of their own: however many of one kind wait, the other goes on.

use model::WorkflowStatus;
use queue::{Database, DatabaseLimits, Queue, Runtime};
use testkit::On;

use crate::fixture::{Fixture, OWNER, registry, settings};

testkit::tests!(
    tasks_run_while_requests_have_all_their_connections,
    requests_are_answered_while_tasks_have_all_their_connections,
);

/// A process with as many connections of either kind as this.
async fn narrow(f: &Fixture, connections: u32, for_tasks: u32) -> Queue {
    let limits = DatabaseLimits { connections, for_tasks, ..DatabaseLimits::default() };
    let db = Database::connect_with(&f.test.url, f.test.clock.clone(), limits).await.unwrap();
    Queue::new(db, registry(&f.mood), settings())
}

async fn tasks_run_while_requests_have_all_their_connections() {
    let f = Fixture::new(On::Postgres).await;
    let queue = narrow(&f, 1, 2).await;
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    let id = f.steps(3).await;
    let request = queue.db().begin_write().await.unwrap();
    f.settle(&runtime).await;
    let ended = f.task(id).await;
    assert_eq!((ended.workflow_status, ended.attempt, ended.failures), (WorkflowStatus::Completed, 1, 0));
    request.rollback().await.unwrap();
}

async fn requests_are_answered_while_tasks_have_all_their_connections() {
    let f = Fixture::new(On::Postgres).await;
    let queue = narrow(&f, 1, 1).await;
    let id = f.steps(1).await;
    let chunk = queue.db().for_tasks().begin_write().await.unwrap();
    assert!(queue.task(id).await.unwrap().is_some());
    assert_eq!(queue.running(OWNER).await.unwrap(), 0);
    chunk.rollback().await.unwrap();
}
