//! Failures by their cause.

use std::time::Duration;

use chrono::TimeDelta;
use model::{TaskErrorCode, WorkflowStatus};
use queue::{Cause, Failure};
use testkit::On;

use crate::fixture::{Fixture, OWNER};

testkit::on_both!(
    failures_of_one_cause_are_one_line,
    a_cause_is_over_once_its_tasks_went_on,
    a_retry_that_fails_again_is_still_one_task,
);

async fn causes(f: &Fixture) -> Vec<Cause> {
    let since = f.test.db.now().await.unwrap() - TimeDelta::hours(1);
    f.queue.causes(since, 4).await.unwrap().causes
}

async fn failures_of_one_cause_are_one_line(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    for n in 0..3 {
        f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, format!("550 refused, id {n}a7f")));
        f.steps(4).await;
        f.settle(&runtime).await;
    }
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::Files, "timed out"));
    f.steps(1).await;
    f.settle(&runtime).await;
    let found = causes(&f).await;
    let told: Vec<_> = found
        .iter()
        .map(|cause| (cause.code.as_str(), cause.failures, cause.tasks, cause.dead, cause.retrying))
        .collect();
    assert_eq!(told, [("mail_server", 3, 3, 3, 0), ("files", 1, 1, 0, 1)], "those that wait for somebody come first");
    assert_eq!(found[0].detail, "550 refused, id 2a7f", "the words of the latest");
    assert_eq!(found[0].parts, [0, 0, 0, 3]);
    let dead = f.queue.died_since(found[0].first, 100).await.unwrap();
    assert_eq!((dead.len(), dead[0].tasks, &dead[0].fingerprint), (1, 3, &found[0].fingerprint));
}

async fn a_cause_is_over_once_its_tasks_went_on(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "no"));
    let id = f.steps(1).await;
    f.settle(&runtime).await;
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.retry(&txn, id, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
    let found = causes(&f).await;
    assert_eq!((found[0].tasks, found[0].dead, found[0].retrying), (1, 0, 0));
    assert_eq!(f.queue.died_since(found[0].first, 100).await.unwrap(), []);
}

async fn a_retry_that_fails_again_is_still_one_task(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    f.mood.fail(1, 3, Failure::transient(TaskErrorCode::Files, "timed out"));
    let id = f.steps(1).await;
    for _ in 0..3 {
        f.settle(&runtime).await;
        f.test.clock.advance(Duration::from_secs(600));
    }
    let found = causes(&f).await;
    assert_eq!((found[0].failures, found[0].tasks), (3, 1));
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}
