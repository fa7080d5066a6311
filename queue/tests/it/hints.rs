//! What is said again, because whoever was told first did not act.

use std::time::Duration;

use chrono::TimeDelta;
use queue::NewTask;
use testkit::On;

use crate::fixture::{Fixture, OWNER, steps_task};

testkit::on_both!(
    what_has_been_due_for_two_intervals_is_said_again_and_nothing_else,
    a_round_says_no_more_than_its_bound,
);

async fn what_has_been_due_for_two_intervals_is_said_again_and_nothing_else(on: On) {
    let f = Fixture::new(on).await;
    let twice = f.queue.settings().cleaning.interval * 2;
    assert_eq!(f.queue.settings().cleaning.resend_after, twice);
    f.steps(1).await;
    let later = f.test.db.now().await.unwrap() + TimeDelta::hours(1);
    f.add(NewTask { trigger_date: Some(later), ..steps_task(1) }).await;
    assert_eq!(f.queue.say_again().await.unwrap(), 0);
    f.test.clock.advance(twice - Duration::from_secs(1));
    assert_eq!(f.queue.say_again().await.unwrap(), 0, "not yet");
    f.test.clock.advance(Duration::from_secs(2));
    assert_eq!(f.queue.say_again().await.unwrap(), 1, "the one that is due");
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.pause(&txn, "steps", OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(f.queue.say_again().await.unwrap(), 0, "nobody would take it");
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.resume(&txn, "steps").await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    let runtime = f.runtime().await;
    f.settle(&runtime).await;
    assert_eq!(f.queue.say_again().await.unwrap(), 0, "it was done");
}

async fn a_round_says_no_more_than_its_bound(on: On) {
    let f = Fixture::new(on).await;
    let txn = f.test.db.begin_write().await.unwrap();
    for _ in 0..1_001 {
        f.queue.enqueue(&txn, steps_task(1)).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
    f.test.clock.advance(Duration::from_secs(600));
    assert_eq!(f.queue.say_again().await.unwrap(), 1_000);
}
