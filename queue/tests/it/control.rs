//! Retry and abandon: one winner, and only where it makes sense.

use std::time::Duration;

use model::{TaskErrorCode, TaskId, WorkflowStatus};
use queue::{Error, Failure};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::fixture::{Fixture, OWNER};

testkit::on_both!(
    of_two_who_retry_one_wins,
    what_is_done_stays_done,
    an_abandoned_task_stays_abandoned,
    a_task_that_is_not_there_is_said_so,
    of_many_those_go_on_that_can,
    of_many_those_end_that_can,
    whoever_waited_to_end_a_task_does_not_end_it_before_it_began,
    what_has_been_kept_for_its_time_is_closed_and_nothing_else,
);

async fn of_two_who_retry_one_wins(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::SelfTest, "never"));
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
    assert!(matches!(f.queue.retry(&txn, TaskId::from_u128(9), OWNER).await, Err(Error::NoSuchTask)));
}

async fn of_many_those_go_on_that_can(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let done = f.steps(1).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "no"));
    let failed = f.steps(1).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::Files, "timed out"));
    let retrying = f.steps(1).await;
    f.settle(&runtime).await;
    let waiting = f.steps(1).await;
    let ids = [done, failed, retrying, waiting];
    let txn = f.test.db.begin_write().await.unwrap();
    let mut went: Vec<_> = f.queue.retry_all(&txn, &ids, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    went.sort_by_key(|task| task.id);
    assert_eq!(went.iter().map(|task| (task.id, task.failures)).collect::<Vec<_>>(), [(failed, 0), (retrying, 1)]);
    f.settle(&runtime).await;
    for id in ids {
        assert_eq!(f.status(id).await, WorkflowStatus::Completed);
    }
}

async fn of_many_those_end_that_can(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let done = f.steps(1).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "no"));
    let failed = f.steps(1).await;
    f.settle(&runtime).await;
    let waiting = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let ended = f.queue.abandon_all(&txn, &[done, failed, waiting], OWNER, "a mistake").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|task| task.finish_reason.as_deref() == Some("a mistake")));
    assert_eq!(f.status(done).await, WorkflowStatus::Completed);
    assert_eq!(runtime.tick().await.unwrap(), 0);
}

/// Somebody else is just claiming it.
async fn whoever_waited_to_end_a_task_does_not_end_it_before_it_began(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    let db = &f.test.db;
    let claiming = db.begin_write().await.unwrap();
    let held = "UPDATE queued_task SET scheduling_started_date = NULL WHERE id = $1";
    claiming.execute_raw(db.statement(held, [id.into()])).await.unwrap();
    let abandoned = async {
        let txn = db.begin_write().await.unwrap();
        let task = f.queue.abandon(&txn, id, OWNER, None).await.unwrap();
        db.commit(txn).await.unwrap();
        task
    };
    let claimed = async {
        let waiting =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let is_waiting = async || -> bool {
            let row = db.reader().query_one_raw(db.statement(waiting, [])).await.unwrap().unwrap();
            row.try_get_by_index::<i64>(0).unwrap() > 0
        };
        while on == On::Postgres && !is_waiting().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let claim = "UPDATE queued_task SET scheduling_started_date = {now} WHERE id = $1";
        claiming.execute_raw(db.test_statement(claim, [id.into()])).await.unwrap();
        db.commit(claiming).await.unwrap();
    };
    let (task, ()) = tokio::join!(abandoned, claimed);
    assert!(task.workflow_stopped_date >= task.scheduling_started_date, "{task:?}");
}

async fn what_has_been_kept_for_its_time_is_closed_and_nothing_else(on: On) {
    let f = Fixture::new(on).await;
    let (runtime, kept) = (f.runtime().await, Duration::from_secs(3_600));
    let (done, failed, retried) = (f.steps(1).await, f.steps(2).await, f.steps(2).await);
    f.mood.fail(2, 2, Failure::permanent(TaskErrorCode::SelfTest, "never"));
    f.settle(&runtime).await;
    let close = async |id| queue::prune::close(&f.test.db, id, kept).await.unwrap();
    assert_eq!([close(done).await, close(failed).await], [false, false], "they ended lately");
    f.test.clock.advance(kept + Duration::from_secs(1));
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.retry(&txn, retried, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!([close(done).await, close(failed).await, close(retried).await], [true, true, false]);
    let states = [f.status(done).await, f.status(failed).await, f.status(retried).await];
    assert_eq!(states, [WorkflowStatus::Completed, WorkflowStatus::Abandoned, WorkflowStatus::Queued]);
    let txn = f.test.db.begin_write().await.unwrap();
    let late = f.queue.retry(&txn, failed, OWNER).await;
    assert!(matches!(late, Err(Error::Conflict(WorkflowStatus::Abandoned))), "{late:?}");
}
