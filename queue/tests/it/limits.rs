//! Promise 7: one owner's or one kind's flood does not starve another's task, and limits hold exactly.

use model::WorkflowStatus;
use queue::{NewTask, Runtime, Settings};
use serde_json::json;
use testkit::On;
use uuid::Uuid;

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(
    a_full_owner_hides_nobody,
    a_full_kind_hides_no_other_kind,
    limits_hold_over_several_processes,
    self_tests_do_not_count_toward_their_owner,
    a_paused_kind_waits_until_it_is_resumed,
);

fn of(owner: u128) -> NewTask {
    NewTask { owner_id: Uuid::from_u128(owner), ..steps_task(1) }
}

async fn running(f: &Fixture, ids: &[Uuid]) -> usize {
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
