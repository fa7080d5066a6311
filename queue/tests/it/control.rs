//! Retry and abandon: one winner, and only where it makes sense.

use model::WorkflowStatus;
use queue::{Error, Failure};
use testkit::On;
use uuid::Uuid;

use crate::fixture::{Fixture, OWNER};

testkit::on_both!(
    of_two_who_retry_one_wins,
    what_is_done_stays_done,
    an_abandoned_task_stays_abandoned,
    a_task_that_is_not_there_is_said_so,
);

async fn of_two_who_retry_one_wins(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    f.mood.fail(1, 1, Failure::permanent("test", "never"));
    f.settle(&runtime).await;
    let attempt = async || {
        let txn = f.test.db.begin_write().await.unwrap();
        let result = f.queue.retry(&txn, id, OWNER).await;
        f.test.db.commit(txn).await.unwrap();
        result
    };
    let (one, two) = tokio::join!(attempt(), attempt());
    let lost = [one, two].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert!(matches!(lost.as_slice(), [Error::Conflict(WorkflowStatus::Queued)]), "{lost:?}");
}

async fn what_is_done_stays_done(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    f.settle(&runtime).await;
    let txn = f.test.db.begin_write().await.unwrap();
    for refused in [f.queue.retry(&txn, id, OWNER).await, f.queue.abandon(&txn, id, OWNER, None).await] {
        assert!(matches!(refused, Err(Error::Conflict(WorkflowStatus::Completed))));
    }
}

async fn an_abandoned_task_stays_abandoned(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let task = f.queue.abandon(&txn, id, OWNER, Some("a mistake")).await.unwrap();
    assert!(matches!(f.queue.retry(&txn, id, OWNER).await, Err(Error::Conflict(WorkflowStatus::Abandoned))));
    f.test.db.commit(txn).await.unwrap();
    assert_eq!((task.finish_reason.as_deref(), task.abandoned_by), (Some("a mistake"), Some(OWNER)));
    assert_eq!(runtime.tick().await.unwrap(), 0);
}

async fn a_task_that_is_not_there_is_said_so(on: On) {
    let f = Fixture::new(on).await;
    let txn = f.test.db.begin_write().await.unwrap();
    assert!(matches!(f.queue.retry(&txn, Uuid::from_u128(9), OWNER).await, Err(Error::NoSuchTask)));
}
