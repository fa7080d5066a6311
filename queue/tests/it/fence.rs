//! Promise 4: once a task has a new attempt, or was given up, nothing of the former attempt changes anything.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use model::{TaskId, WorkflowStatus};
use queue::{
    Runtime, Task,
    test_hooks::{Point, Probe},
};
use testkit::On;
use tokio::sync::watch;

use crate::fixture::{Fixture, OWNER};

testkit::on_both!(
    a_former_attempt_changes_nothing_after_its_replacement_has_committed_a_chunk,
    a_former_attempt_changes_nothing_after_its_replacement_has_finished,
    a_former_attempt_of_the_same_process_changes_nothing,
    a_former_attempt_that_is_told_to_stop_puts_nothing_back,
    a_given_up_task_stops_at_its_next_fence,
    a_task_claimed_and_given_up_never_starts,
);

/// A probe that holds the first run that is claimed, until it is released.
pub fn holding_claimed() -> (Probe, watch::Sender<bool>) {
    holding(|at, _| at == Point::Claimed)
}

/// A probe that holds the first run that is about to commit a chunk, until it is released.
pub fn holding_commits() -> (Probe, watch::Sender<bool>) {
    holding(|at, _| at == Point::BeforeCommit)
}

/// A probe that holds every run that is claimed, until all are released.
pub fn holding_all() -> (Probe, watch::Sender<bool>) {
    let (release, released) = watch::channel(false);
    let probe: Probe = Arc::new(move |at, _| {
        let mut released = released.clone();
        Box::pin(async move {
            if at == Point::Claimed {
                let _ = released.wait_for(|released| *released).await;
            }
        })
    });
    (probe, release)
}

/// A probe that holds the first run that comes out of a chunk with so many steps done, until it is released.
pub fn holding_after(steps: i64) -> (Probe, watch::Sender<bool>) {
    holding(move |at, task| at == Point::BetweenChunks && task.succeeded == steps)
}

/// A probe that holds wherever one of the two does.
pub fn both(one: Probe, other: Probe) -> Probe {
    Arc::new(move |at, task| {
        let (one, other) = (one(at, task), other(at, task));
        Box::pin(async move {
            one.await;
            other.await;
        })
    })
}

fn holding(here: impl Fn(Point, &Task) -> bool + Send + Sync + 'static) -> (Probe, watch::Sender<bool>) {
    let (release, released) = watch::channel(false);
    let taken = AtomicBool::new(false);
    let probe: Probe = Arc::new(move |at, task| {
        let holds = here(at, task) && !taken.swap(true, Ordering::SeqCst);
        let mut released = released.clone();
        Box::pin(async move {
            if holds {
                let _ = released.wait_for(|released| *released).await;
            }
        })
    });
    (probe, release)
}

/// Starts a task on a runtime that holds it after its first chunk.
async fn held(f: &Fixture, steps: u64) -> (Runtime, watch::Sender<bool>, TaskId) {
    let (probe, release) = holding_after(1);
    let former = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(steps).await;
    former.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    (former, release, id)
}

async fn a_former_attempt_changes_nothing_after_its_replacement_has_committed_a_chunk(on: On) {
    let f = Fixture::new(on).await;
    let (former, wake_former, id) = held(&f, 4).await;

    // Held once more after a chunk of its own, so that it is in the middle of the task when the former attempt wakes.
    let (probe, release) = holding_after(2);
    let replacement = Runtime::unguarded(&f.other(probe)).await.unwrap();
    f.silence();
    assert_eq!(replacement.rescue().await.unwrap(), 1);
    replacement.tick().await.unwrap();
    while !f.effects(id).await.contains(&(2, 2)) {
        tokio::task::yield_now().await;
    }
    assert_eq!(f.status(id).await, WorkflowStatus::Executing);
    wake_former.send_replace(true);
    former.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2)]);
    release.send_replace(true);
    replacement.idle().await;

    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2), (4, 2)]);
    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.succeeded, done.attempt), (WorkflowStatus::Completed, 4, 2));
}

async fn a_former_attempt_changes_nothing_after_its_replacement_has_finished(on: On) {
    let f = Fixture::new(on).await;
    let (former, wake_former, id) = held(&f, 3).await;
    f.silence();
    let replacement = f.runtime().await;
    replacement.rescue().await.unwrap();
    f.settle(&replacement).await;
    let done = f.task(id).await;
    assert_eq!(done.workflow_status, WorkflowStatus::Completed);
    wake_former.send_replace(true);
    former.idle().await;
    assert_eq!(f.task(id).await, done);
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)]);
}

/// The name of the process is the same, the attempt is not.
async fn a_former_attempt_of_the_same_process_changes_nothing(on: On) {
    let f = Fixture::new(on).await;
    let (first, wake_former) = holding_after(1);
    let (second, release) = holding_after(2);
    let same = Runtime::unguarded(&f.other(both(first, second))).await.unwrap();
    let id = f.steps(20).await;
    same.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.silence();
    assert_eq!(f.runtime().await.rescue().await.unwrap(), 1);
    assert_eq!(same.tick().await.unwrap(), 1);
    while !f.effects(id).await.contains(&(2, 2)) {
        tokio::task::yield_now().await;
    }
    wake_former.send_replace(true);
    release.send_replace(true);
    same.idle().await;
    let expected: Vec<_> = (1..=20).map(|step| (step, if step == 1 { 1 } else { 2 })).collect();
    assert_eq!(f.effects(id).await, expected);
    assert_eq!((f.status(id).await, f.task(id).await.succeeded), (WorkflowStatus::Completed, 20));
}

async fn a_former_attempt_that_is_told_to_stop_puts_nothing_back(on: On) {
    let f = Fixture::new(on).await;
    let (former, wake_former, id) = held(&f, 3).await;
    let (probe, release) = holding_after(2);
    let replacement = Runtime::unguarded(&f.other(probe)).await.unwrap();
    f.silence();
    assert_eq!(replacement.rescue().await.unwrap(), 1);
    replacement.tick().await.unwrap();
    while f.task(id).await.succeeded < 2 {
        tokio::task::yield_now().await;
    }
    let replaced = f.task(id).await;
    tokio::join!(former.drain(), async { wake_former.send_replace(true) });
    assert_eq!(f.task(id).await, replaced);
    release.send_replace(true);
    replacement.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)]);
}

async fn a_given_up_task_stops_at_its_next_fence(on: On) {
    let f = Fixture::new(on).await;
    let (runtime, release, id) = held(&f, 3).await;
    let txn = f.test.db.begin_write().await.unwrap();
    let given_up = f.queue.abandon(&txn, id, OWNER, Some("enough")).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1)]);
    assert_eq!(f.task(id).await, given_up);
}

async fn a_task_claimed_and_given_up_never_starts(on: On) {
    let f = Fixture::new(on).await;
    let (probe, release) = holding_claimed();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(1).await;
    runtime.tick().await.unwrap();
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.abandon(&txn, id, OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(f.effects(id).await, []);
    assert_eq!(f.status(id).await, WorkflowStatus::Abandoned);
}
