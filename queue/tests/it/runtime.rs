//! Promises 8 and 10: prompt, and quiet when told to stop.

use std::{sync::Arc, time::Duration};

use model::WorkflowStatus;
use queue::{NewTask, Runtime};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::On;
use tokio_util::sync::CancellationToken;

use crate::{
    fence::holding_after,
    fixture::{Fixture, OWNER, PATIENCE, steps_task},
};

testkit::on_both!(
    a_wake_up_starts_work_without_a_poll,
    a_due_date_starts_work_without_a_hint,
    a_freed_slot_takes_the_next_without_a_hint,
    work_without_a_hint_is_found_by_the_poll,
    a_running_process_takes_over_from_one_that_fell_silent,
    a_stop_puts_the_task_back_with_its_bookmark,
    a_runtime_that_was_told_to_stop_claims_nothing_more,
    a_stop_waits_for_a_hung_run_no_longer_than_the_grace_time,
    a_caller_that_hangs_up_leaves_no_transaction_behind,
);

/// A runtime that runs by itself, stopped and joined at the end.
pub struct Running {
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

#[expect(clippy::disallowed_methods, reason = "joined by Running::stop")]
pub async fn running(f: &Fixture) -> Running {
    let runtime = Arc::new(Runtime::start(&f.queue).await.unwrap());
    let stop = CancellationToken::new();
    let token = stop.clone();
    Running { stop, task: tokio::spawn(async move { runtime.run(token).await }) }
}

impl Running {
    pub async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("it did not stop").unwrap();
    }
}

async fn a_wake_up_starts_work_without_a_poll(on: On) {
    let f = Fixture::new(on).await;
    let running = running(&f).await;
    for _ in 0..3 {
        let id = f.steps(1).await;
        f.queue.wake();
        f.until(id, WorkflowStatus::Completed).await;
    }
    running.stop().await;
}

async fn a_due_date_starts_work_without_a_hint(on: On) {
    // Longer where it came due before the process had looked, which then needs no due date.
    for wait in [300, 3_000, 30_000].map(Duration::from_millis) {
        let f = Fixture::new(on).await;
        let soon = f.test.db.now().await.unwrap() + wait;
        let id = f.add(NewTask { trigger_date: Some(soon), ..steps_task(1) }).await;
        let at_once = f.steps(1).await;
        let running = running(&f).await;
        f.until(at_once, WorkflowStatus::Completed).await;
        let was_early = f.test.db.now().await.unwrap() < soon;
        let done = f.until(id, WorkflowStatus::Completed).await;
        assert!(done.execution_started_date.unwrap() >= soon);
        running.stop().await;
        if was_early {
            return;
        }
    }
    panic!("it was never looked before the task was due");
}

async fn a_freed_slot_takes_the_next_without_a_hint(on: On) {
    let settings = queue::Settings { slots: 1, ..crate::fixture::settings() };
    let f = Fixture::with(on, settings).await;
    let ids = [f.steps(1).await, f.steps(1).await, f.steps(1).await];
    let running = running(&f).await;
    for id in ids {
        f.until(id, WorkflowStatus::Completed).await;
    }
    running.stop().await;
}

async fn work_without_a_hint_is_found_by_the_poll(on: On) {
    let settings = queue::Settings { poll_interval: Duration::from_millis(20), ..crate::fixture::settings() };
    let f = Fixture::with(on, settings).await;
    let running = running(&f).await;
    // The end of each is a hint, too, which the next one mostly misses.
    for _ in 0..20 {
        let id = f.steps(1).await;
        f.until(id, WorkflowStatus::Completed).await;
    }
    running.stop().await;
}

async fn a_running_process_takes_over_from_one_that_fell_silent(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_after(1);
    let silent = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(3).await;
    silent.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    let runtime = f.runtime().await;
    let stop = CancellationToken::new();
    let watching = async {
        f.silence();
        f.until(id, WorkflowStatus::Completed).await;
        stop.cancel();
    };
    tokio::join!(runtime.run(stop.clone()), watching);
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)]);
}

async fn a_runtime_that_was_told_to_stop_claims_nothing_more(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    runtime.drain().await;
    assert_eq!(runtime.tick().await.unwrap(), 0);
    assert_eq!((f.status(id).await, f.task(id).await.attempt), (WorkflowStatus::Queued, 0));
}

async fn a_stop_waits_for_a_hung_run_no_longer_than_the_grace_time(on: On) {
    let f =
        Fixture::with(on, queue::Settings { drain: Duration::from_millis(100), ..crate::fixture::settings() }).await;
    let (probe, _never_released) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    runtime.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(PATIENCE, runtime.drain()).await.expect("it did not stop");
    runtime.leave().await;
    let next = f.runtime().await;
    assert_eq!(next.rescue().await.unwrap(), 1, "what it held is anybody's at once");
    f.settle(&next).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2)]);
}

async fn a_stop_puts_the_task_back_with_its_bookmark(on: On) {
    let f = Fixture::new(on).await;
    let id = f.add(NewTask::new("self-test", json!({ "chunks": 200, "sleepMs": 20 }), OWNER)).await;
    let first = running(&f).await;
    while f.task(id).await.succeeded < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    first.stop().await;
    let back = f.task(id).await;
    assert_eq!((back.workflow_status, back.failures, back.crashes), (WorkflowStatus::Queued, 0, 0));
    assert_eq!(back.execution_state, json!({ "chunks": back.succeeded }).to_string());
    let sql = "SELECT COUNT(*) AS count FROM process";
    let row = f.test.db.reader().query_one_raw(f.test.db.statement(sql, [])).await.unwrap().unwrap();
    assert_eq!(row.try_get::<i64>("", "count").unwrap(), 0, "it has left the list of processes");

    let second = running(&f).await;
    while f.task(id).await.succeeded <= back.succeeded {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(f.task(id).await.attempt, 2);
    second.stop().await;
}

async fn a_caller_that_hangs_up_leaves_no_transaction_behind(on: On) {
    let f = Fixture::new(on).await;
    for _ in 0..50 {
        // Polled once, so that BEGIN is on its way, then dropped.
        let begin = f.test.db.begin_write();
        let _ = tokio::time::timeout(Duration::ZERO, begin).await;
    }
    // More than the pool holds: a connection left inside a transaction would be met, and its write would be lost.
    for _ in 0..20 {
        let id = f.steps(1).await;
        assert_eq!(f.status(id).await, WorkflowStatus::Queued);
    }
}
