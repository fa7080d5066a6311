//! What is said again, because whoever was told first did not act.

use std::time::Duration;

use chrono::TimeDelta;
use queue::{NewTask, Runtime, Settings};
use testkit::On;

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(
    what_has_been_due_for_two_intervals_is_said_again_and_nothing_else,
    a_round_says_no_more_than_its_bound,
    what_waits_because_every_worker_is_full_is_not_said_again,
    what_has_to_run_alone_is_said_again_to_whoever_is_idle_only,
);

async fn what_has_been_due_for_two_intervals_is_said_again_and_nothing_else(on: On) {
    let f = Fixture::new(on).await;
    let twice = f.queue.settings().cleaning.interval * 2;
    let runtime = f.runtime().await;
    assert_eq!(f.queue.settings().cleaning.resend_after, twice);
    f.steps(1).await;
    let later = f.test.db.now().await.unwrap() + TimeDelta::hours(1);
    f.add(NewTask { trigger_date: Some(later), ..steps_task(1) }).await;
    assert_eq!(runtime.say_again().await.unwrap(), 0);
    let near = Duration::from_secs(60);
    f.test.clock.advance(twice - near);
    assert_eq!(runtime.say_again().await.unwrap(), 0, "not yet");
    f.test.clock.advance(near + Duration::from_secs(1));
    assert_eq!(runtime.say_again().await.unwrap(), 1, "the one that is due");
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.pause(&txn, "steps", OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(runtime.say_again().await.unwrap(), 0, "nobody would take it");
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.resume(&txn, "steps").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    f.settle(&runtime).await;
    assert_eq!(runtime.say_again().await.unwrap(), 0, "it was done");
}

async fn a_round_says_no_more_than_its_bound(on: On) {
    let f = Fixture::with(on, Settings { slots: 2_000, per_owner: 2_000, ..settings() }).await;
    let txn = f.test.db.begin_write().await.unwrap();
    for _ in 0..1_001 {
        f.queue.enqueue(&txn, steps_task(1)).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
    f.test.clock.advance(Duration::from_secs(600));
    let idle = f.runtime().await;
    assert_eq!(idle.say_again().await.unwrap(), 1_000);
}

async fn what_waits_because_every_worker_is_full_is_not_said_again(on: On) {
    let f = Fixture::with(on, Settings { slots: 2, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    for _ in 0..100 {
        f.steps(1).await;
    }
    assert_eq!(runtime.tick().await.unwrap(), 2, "the only worker is full");
    f.test.clock.advance(f.queue.settings().cleaning.resend_after + Duration::from_secs(1));
    let mut said = 0;
    for _ in 0..12 {
        said += runtime.say_again().await.unwrap();
    }
    assert_eq!(said, 0);
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(runtime.say_again().await.unwrap(), 2, "as many as could start");
}

async fn what_has_to_run_alone_is_said_again_to_whoever_is_idle_only(on: On) {
    let f = Fixture::with(on, Settings { slots: 2, ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    f.steps(1).await;
    assert_eq!(runtime.tick().await.unwrap(), 1);
    let suspect = f.steps(1).await;
    f.test.db.write("UPDATE queued_task SET crashes = 2 WHERE id = $1", [suspect.into()]).await.unwrap();
    f.test.clock.advance(f.queue.settings().cleaning.resend_after + Duration::from_secs(1));
    assert_eq!(runtime.say_again().await.unwrap(), 0, "one slot is free, and it would not be alone");
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(runtime.say_again().await.unwrap(), 1);
}
