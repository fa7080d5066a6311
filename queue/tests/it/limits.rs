//! Promise 7: one owner's or one kind's flood does not starve another's task, and limits hold exactly.

use std::time::Duration;

use model::{AccountId, TaskId, WorkflowStatus};
use queue::{NewTask, Runtime, Settings};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::On;

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::tests!(a_task_that_somebody_has_locked_keeps_no_other_waiting);

testkit::on_both!(
    a_full_owner_hides_nobody,
    a_flood_longer_than_the_first_look_hides_nobody,
    many_whose_date_has_come_hide_nobody,
    a_full_kind_hides_no_other_kind,
    limits_hold_over_several_processes,
    self_tests_do_not_count_toward_their_owner,
    a_paused_kind_waits_until_it_is_resumed,
);

fn of(owner: u128) -> NewTask {
    NewTask { owner_id: AccountId::from_u128(owner), ..steps_task(1) }
}

async fn running(f: &Fixture, ids: &[TaskId]) -> usize {
    let mut running = 0;
    for id in ids {
        running += usize::from(f.status(*id).await.is_running());
    }
    running
}

async fn a_full_owner_hides_nobody(on: On) {
    let f = Fixture::with(on, Settings { per_owner: 2, slots: 8, max_per_tick: 3, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let mut flood = Vec::new();
    for _ in 0..30 {
        flood.push(f.add(of(1)).await);
    }
    let other = [f.add(of(2)).await, f.add(of(3)).await];
    assert_eq!(runtime.tick().await.unwrap(), 4);
    assert_eq!((running(&f, &flood).await, running(&f, &other).await), (2, 2));
    assert_eq!(runtime.tick().await.unwrap(), 0, "the slots that are left are nobody's");
    release.send_replace(true);
    runtime.idle().await;
    f.settle(&runtime).await;
    for id in flood {
        assert_eq!(f.status(id).await, WorkflowStatus::Completed);
    }
}

/// Adds many at once.
async fn add_all(f: &Fixture, tasks: impl Iterator<Item = NewTask>) -> Vec<TaskId> {
    let txn = f.test.db.begin_write().await.unwrap();
    let mut ids = Vec::new();
    for task in tasks {
        ids.push(f.queue.enqueue(&txn, task).await.unwrap().task().id);
    }
    f.test.db.commit(txn).await.unwrap();
    ids
}

async fn a_flood_longer_than_the_first_look_hides_nobody(on: On) {
    let f = Fixture::with(on, Settings { per_owner: 2, slots: 8, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let flood = add_all(&f, (0..150).map(|_| of(1))).await;
    let unknown = add_all(&f, (0..150).map(|_| of(4))).await;
    f.test
        .db
        .write(
            "UPDATE queued_task SET execution_component_name = 'of-a-newer-release' WHERE owner_id = $1",
            [AccountId::from_u128(4).into()],
        )
        .await
        .unwrap();
    let second = add_all(&f, (0..3).map(|_| of(2))).await;
    let self_test = |owner| NewTask::new("self-test", json!({}), AccountId::from_u128(owner));
    let uncounted = add_all(&f, [self_test(1)].into_iter()).await;
    let third = add_all(&f, [of(3), NewTask { priority: 1, ..of(3) }, of(3)].into_iter()).await;
    let begun = async |ids: &[TaskId]| {
        let mut begun = Vec::new();
        for id in ids {
            begun.push(f.status(*id).await.is_running());
        }
        begun
    };
    assert_eq!(runtime.tick().await.unwrap(), 7, "two of each owner, and the self-test");
    assert_eq!(running(&f, &flood).await, 2);
    assert_eq!(begun(&flood[..3]).await, [true, true, false], "in the order of submit");
    assert_eq!(begun(&second).await, [true, true, false]);
    assert_eq!(begun(&third).await, [true, true, false], "the urgent one and the first");
    assert_eq!((running(&f, &uncounted).await, running(&f, &unknown).await), (1, 0));
    assert_eq!(runtime.tick().await.unwrap(), 0, "the slot that is left is nobody's");
    release.send_replace(true);
    runtime.idle().await;
    f.settle(&runtime).await;
    for id in flood.iter().chain(&second).chain(&third) {
        assert_eq!(f.status(*id).await, WorkflowStatus::Completed);
    }
    assert_eq!(running(&f, &unknown).await, 0);
}

async fn many_whose_date_has_come_hide_nobody(on: On) {
    let f = Fixture::with(on, Settings { per_owner: 1, slots: 4, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let now = f.test.db.now().await.unwrap();
    let at = |seconds, task: NewTask| NewTask { trigger_date: Some(now + Duration::from_secs(seconds)), ..task };
    // More than are let into line at once, and one whose date comes after all of theirs.
    let flood = add_all(&f, (0..1_500).map(|_| at(60, of(1)))).await;
    let last = add_all(&f, [at(61, of(2))].into_iter()).await;
    assert_eq!(runtime.tick().await.unwrap(), 0);
    f.test.clock.advance(Duration::from_secs(62));
    assert_eq!(runtime.tick().await.unwrap(), 2);
    assert_eq!((running(&f, &flood).await, running(&f, &last).await), (1, 1));
    release.send_replace(true);
    runtime.idle().await;
}

async fn a_full_kind_hides_no_other_kind(on: On) {
    let per_kind = [("steps".to_owned(), 1)].into();
    let f = Fixture::with(on, Settings { per_kind, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let mut steps = Vec::new();
    for _ in 0..20 {
        steps.push(f.steps(1).await);
    }
    let other = f.add(NewTask::new("self-test", json!({}), OWNER)).await;
    assert_eq!(runtime.tick().await.unwrap(), 2);
    assert_eq!(running(&f, &steps).await, 1);
    assert!(f.status(other).await.is_running());
    release.send_replace(true);
    runtime.idle().await;
}

async fn limits_hold_over_several_processes(on: On) {
    let f = Fixture::with(on, Settings { per_owner: 3, slots: 4, ..settings() }).await;
    let (probe, release) = holding_all();
    let queue = f.other(probe);
    let runtimes = [
        Runtime::unguarded(&queue).await.unwrap(),
        Runtime::unguarded(&queue).await.unwrap(),
        Runtime::unguarded(&queue).await.unwrap(),
    ];
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(f.add(of(1)).await);
    }
    let [a, b, c] = &runtimes;
    let (a, b, c) = tokio::join!(a.tick(), b.tick(), c.tick());
    assert_eq!(a.unwrap() + b.unwrap() + c.unwrap(), 3);
    assert_eq!(running(&f, &ids).await, 3);
    release.send_replace(true);
    for runtime in &runtimes {
        runtime.idle().await;
    }
}

async fn self_tests_do_not_count_toward_their_owner(on: On) {
    let f = Fixture::with(on, Settings { per_owner: 1, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    for _ in 0..3 {
        f.add(NewTask::new("self-test", json!({}), OWNER)).await;
    }
    f.steps(1).await;
    f.steps(1).await;
    assert_eq!(runtime.tick().await.unwrap(), 4, "three self-tests and one task that counts");
    release.send_replace(true);
    runtime.idle().await;
}

async fn a_paused_kind_waits_until_it_is_resumed(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    assert!(f.queue.pause(&txn, "steps", OWNER, Some("looking into it")).await.unwrap());
    assert!(!f.queue.pause(&txn, "steps", OWNER, None).await.unwrap(), "it is paused already");
    db.commit(txn).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 0);
    let txn = db.begin_write().await.unwrap();
    assert!(f.queue.resume(&txn, "steps").await.unwrap());
    db.commit(txn).await.unwrap();
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}

async fn a_task_that_somebody_has_locked_keeps_no_other_waiting() {
    let f = Fixture::with(On::Postgres, Settings { slots: 1, ..settings() }).await;
    let runtime = f.runtime().await;
    let (first, second) = (f.steps(1).await, f.steps(1).await);
    let db = &f.test.db;
    let frozen = db.begin_write().await.unwrap();
    frozen
        .query_one_raw(db.statement("SELECT id FROM queued_task WHERE id = $1 FOR UPDATE", [first.into()]))
        .await
        .unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 1);
    runtime.idle().await;
    assert_eq!(f.status(second).await, WorkflowStatus::Completed);
    assert_eq!(f.status(first).await, WorkflowStatus::Queued);
    frozen.rollback().await.unwrap();
    f.settle(&runtime).await;
    assert_eq!(f.status(first).await, WorkflowStatus::Completed);
}
