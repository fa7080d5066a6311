//! Promises 3, 6 and 7: one owner, bounded, ordered.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use model::WorkflowStatus;
use queue::{NewTask, Settings};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::On;

use crate::fixture::{Fixture, OWNER, settings, steps_task};

testkit::on_both!(
    tasks_are_claimed_in_their_order,
    no_more_is_claimed_than_there_are_slots,
    one_claim_takes_no_more_than_its_bound,
    a_task_waits_for_its_date,
    a_kind_that_this_process_does_not_know_is_left_alone,
    several_runtimes_never_take_the_same_task,
    the_deadline_is_set_by_kind_at_the_claim,
);

async fn tasks_are_claimed_in_their_order(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let runtime = f.runtime().await;
    let oldest = f.steps(1).await;
    let failed_once = f.steps(1).await;
    let newest = f.steps(1).await;
    let urgent = f.add(NewTask { priority: 5, ..steps_task(1) }).await;
    let rescued = f.steps(1).await;
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    for (sql, id) in [
        ("UPDATE queued_task SET failures = 1 WHERE id = $1", failed_once),
        ("UPDATE queued_task SET rescued = TRUE WHERE id = $1", rescued),
    ] {
        txn.execute_raw(db.statement(sql, [id.into()])).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
    let line = [rescued, urgent, oldest, newest, failed_once];
    for (place, id) in line.iter().enumerate() {
        assert_eq!(f.queue.place_in_line(&f.task(*id).await).await.unwrap(), Some(place as u64 + 1));
    }
    for id in line {
        assert_eq!(runtime.tick().await.unwrap(), 1);
        runtime.idle().await;
        assert_eq!(f.status(id).await, WorkflowStatus::Completed);
    }
}

async fn no_more_is_claimed_than_there_are_slots(on: On) {
    let f = Fixture::with(on, Settings { slots: 3, max_per_tick: 2, ..settings() }).await;
    let runtime = f.runtime().await;
    for _ in 0..5 {
        f.add(NewTask::new("self-test", json!({ "sleepMs": 300 }), OWNER)).await;
    }
    assert_eq!(runtime.tick().await.unwrap(), 3, "two, then one more, then no slot is free");
    assert_eq!(runtime.tick().await.unwrap(), 0);
    runtime.idle().await;
    assert_eq!(runtime.tick().await.unwrap(), 2);
    runtime.idle().await;
}

async fn one_claim_takes_no_more_than_its_bound(on: On) {
    let f = Fixture::with(on, Settings { max_per_tick: 2, ..settings() }).await;
    let runtime = f.runtime().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(f.steps(1).await);
    }
    assert_eq!(runtime.tick().await.unwrap(), 5);
    runtime.idle().await;
    // What one statement claims has one date.
    let mut claims = BTreeMap::new();
    for id in ids {
        *claims.entry(f.task(id).await.scheduling_started_date.unwrap()).or_insert(0) += 1;
    }
    assert_eq!(claims.into_values().collect::<Vec<_>>(), [2, 2, 1]);
}

async fn a_task_waits_for_its_date(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let tomorrow = f.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let id = f.add(NewTask { trigger_date: Some(tomorrow), ..steps_task(1) }).await;
    assert_eq!(runtime.tick().await.unwrap(), 0);
    f.test.clock.advance(Duration::from_secs(86_401));
    f.settle(&runtime).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}

async fn a_kind_that_this_process_does_not_know_is_left_alone(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let id = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    txn.execute_unprepared("UPDATE queued_task SET execution_component_name = 'of-a-newer-release'").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 0);
    assert_eq!(f.status(id).await, WorkflowStatus::Queued);
}

async fn several_runtimes_never_take_the_same_task(on: On) {
    let f = Fixture::with(on, Settings { slots: 4, max_per_tick: 3, ..settings() }).await;
    let mut ids = HashSet::new();
    for _ in 0..120 {
        ids.insert(f.steps(1).await);
    }
    let runtimes = [f.runtime().await, f.runtime().await, f.runtime().await];
    let [a, b, c] = &runtimes;
    tokio::join!(f.settle(a), f.settle(b), f.settle(c));
    for runtime in &runtimes {
        f.settle(runtime).await;
    }
    for id in ids {
        assert_eq!(f.status(id).await, WorkflowStatus::Completed);
        assert_eq!(f.effects(id).await, [(1, 1)]);
    }
}

async fn the_deadline_is_set_by_kind_at_the_claim(on: On) {
    let per_kind = [("steps".to_owned(), Duration::from_secs(7))].into();
    let f = Fixture::with(on, Settings { deadline_per_kind: per_kind, slots: 1, ..settings() }).await;
    let (held, release) = crate::fence::holding_claimed();
    let runtime = queue::Runtime::unguarded(&f.other(held)).await.unwrap();
    let id = f.steps(1).await;
    runtime.tick().await.unwrap();
    let claimed = f.task(id).await;
    let wait = claimed.deadline.unwrap() - claimed.scheduling_started_date.unwrap();
    assert!((6_900..=7_100).contains(&wait.num_milliseconds()), "{wait}");
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}
