//! Several processes on one PostgreSQL: who is gone, who is only slow, and a race of all for everything.

use std::time::Duration;

use model::WorkflowStatus;
use queue::{Runtime, Settings};
use testkit::On;

use crate::{
    fence::{holding_after, holding_claimed},
    fixture::{Fixture, LEASE, settings},
};

testkit::on_both!(a_process_that_beats_keeps_its_tasks, a_race_of_several_runtimes_does_everything_once);

async fn a_process_that_beats_keeps_its_tasks(on: On) {
    let f = Fixture::new(on).await;
    let (probe, release) = holding_claimed();
    let slow = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(1).await;
    slow.tick().await.unwrap();
    f.test.clock.advance(LEASE - Duration::from_secs(1));
    slow.beat().await;
    f.test.clock.advance(Duration::from_secs(2));
    let other = f.runtime().await;
    assert_eq!(other.rescue().await.unwrap(), 0);
    release.send_replace(true);
    slow.idle().await;
    assert_eq!((f.status(id).await, f.task(id).await.attempt), (WorkflowStatus::Completed, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_gone_is_noticed_after_one_missed_beat() {
    let f = Fixture::new(On::Postgres).await;
    let (probe, _never_released) = holding_after(1);
    let gone = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    gone.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    // A server that has just started holds nobody's lock, so it is believed only after a lease.
    f.silence();
    gone.beat().await;
    let other = f.runtime().await;
    f.test.clock.advance(settings().heartbeat + Duration::from_secs(1));
    assert_eq!(other.rescue().await.unwrap(), 0, "its lock says that it is there");
    gone.vanish().await;
    while other.rescue().await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    f.settle(&other).await;
    assert_eq!(f.status(id).await, WorkflowStatus::Completed);
}

async fn a_race_of_several_runtimes_does_everything_once(on: On) {
    let f = Fixture::with(on, Settings { slots: 4, max_per_tick: 3, ..settings() }).await;
    let mut ids = Vec::new();
    for _ in 0..300 {
        ids.push(f.steps(2).await);
    }
    let runtimes = [f.runtime().await, f.runtime().await, f.runtime().await];
    let [a, b, c] = &runtimes;
    tokio::join!(f.settle(a), f.settle(b), f.settle(c));
    for runtime in &runtimes {
        f.settle(runtime).await;
    }
    for id in ids {
        let done = f.task(id).await;
        assert_eq!((done.workflow_status, done.attempt), (WorkflowStatus::Completed, 1));
        assert_eq!(f.effects(id).await, [(1, 1), (2, 1)]);
    }
}
