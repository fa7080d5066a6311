//! Several processes on one PostgreSQL: who is gone, who is only slow, and a race of all for everything.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use model::WorkflowStatus;
use queue::{
    Runtime, Settings, TaskChange,
    test_faults::{FaultPlan, Faults},
    test_hooks,
};
use sea_orm::ConnectionTrait;
use testkit::On;
use tokio_util::sync::CancellationToken;

use crate::{
    fence::{holding_after, holding_all, holding_claimed},
    fixture::{Fixture, LEASE, PATIENCE, settings},
};

testkit::tests!(
    a_process_that_is_gone_is_noticed_after_one_missed_beat,
    a_server_that_has_just_started_proves_nobody_dead,
    a_process_that_cannot_say_that_it_lives_ends_its_runs,
    a_run_that_wakes_too_late_writes_nothing,
    a_hint_of_another_process_starts_work_without_a_poll,
    what_changes_in_one_process_is_heard_in_another,
    an_outage_is_nobodys_death,
);

testkit::on_both!(
    a_process_that_beats_keeps_its_tasks,
    a_process_that_has_just_come_is_not_taken_for_dead,
    a_race_of_several_runtimes_does_everything_once,
);

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

/// Waits until no more than so many processes hold their lock.
async fn until_vanished(f: &Fixture, left: i64) {
    let db = &f.test.db;
    let sql = "SELECT COUNT(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let held = async || -> i64 {
        let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
        row.try_get("", "n").unwrap()
    };
    while held().await > left {
        tokio::task::yield_now().await;
    }
}

async fn a_server_that_has_just_started_proves_nobody_dead() {
    // Whatever the server has been up for is less than that.
    let f =
        Fixture::with(On::Postgres, Settings { lease: Duration::from_secs(100 * 365 * 86_400), ..settings() }).await;
    let (probe, _never_released) = holding_claimed();
    let slow = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(1).await;
    slow.tick().await.unwrap();
    slow.vanish().await;
    until_vanished(&f, 0).await;
    f.test.clock.advance(settings().heartbeat + Duration::from_secs(1));
    assert_eq!(f.runtime().await.rescue().await.unwrap(), 0, "its lock went with the server's memory");
    assert!(f.status(id).await.is_running());
}

async fn a_process_that_has_just_come_is_not_taken_for_dead(on: On) {
    let f = Fixture::new(on).await;
    let watcher = f.runtime().await;
    let (probe, release) = holding_all();
    let queue = f.other(probe);
    let (over, mut come) = (AtomicBool::new(false), Vec::new());
    let coming = async {
        for _ in 0..12 {
            f.steps(1).await;
            let new = Runtime::unguarded(&queue).await.unwrap();
            assert_eq!(new.tick().await.unwrap(), 1);
            come.push(new);
        }
        over.store(true, Ordering::SeqCst);
    };
    let watching = async {
        while !over.load(Ordering::SeqCst) {
            assert_eq!(watcher.rescue().await.unwrap(), 0);
        }
    };
    tokio::join!(coming, watching);
    release.send_replace(true);
    for runtime in come {
        runtime.idle().await;
    }
}

/// The table of processes cannot be written, so that no beat arrives.
async fn a_process_that_cannot_say_that_it_lives_ends_its_runs() {
    let brief = Settings { lease: Duration::from_secs(6), heartbeat: Duration::from_millis(50), ..settings() };
    let f = Fixture::with(On::Postgres, brief).await;
    let (probe, _never_released) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    let stop = CancellationToken::new();
    let cut_off = async {
        while f.task(id).await.succeeded == 0 {
            tokio::task::yield_now().await;
        }
        let txn = f.test.db.begin_write().await.unwrap();
        txn.execute_unprepared("SELECT id FROM process FOR UPDATE").await.unwrap();
        tokio::time::timeout(PATIENCE, runtime.idle()).await.expect("its run goes on");
        assert_eq!((f.effects(id).await, f.task(id).await.attempt), (vec![(1, 1)], 1));
        txn.rollback().await.unwrap();
        stop.cancel();
    };
    tokio::join!(runtime.run(stop.clone()), cut_off);
}

/// As after a freeze of the whole process: the run wakes before the heartbeat does.
async fn a_run_that_wakes_too_late_writes_nothing() {
    let once = Settings { lease: Duration::from_secs(12), heartbeat: Duration::from_secs(3_600), ..settings() };
    let f = Fixture::with(On::Postgres, once).await;
    let (probe, wake) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    let stop = CancellationToken::new();
    let frozen = async {
        while f.task(id).await.succeeded == 0 {
            tokio::task::yield_now().await;
        }
        // By the process's own clock, which no test moves.
        tokio::time::sleep(Duration::from_millis(6_100)).await;
        let next = f.steps(1).await;
        assert_eq!(runtime.tick().await.unwrap(), 0);
        wake.send_replace(true);
        runtime.idle().await;
        assert_eq!((f.effects(id).await, f.effects(next).await), (vec![(1, 1)], vec![]));
        stop.cancel();
    };
    tokio::join!(runtime.run(stop.clone()), frozen);
}

async fn a_hint_of_another_process_starts_work_without_a_poll() {
    let f = Fixture::new(On::Postgres).await;
    let worker = f.other(test_hooks::none());
    let runtime = Runtime::unguarded(&worker).await.unwrap();
    let stop = CancellationToken::new();
    let submitting = async {
        // The end of each is a hint within the worker, which the next one mostly misses.
        for _ in 0..20 {
            let id = f.steps(1).await;
            f.queue.wake();
            f.until(id, WorkflowStatus::Completed).await;
        }
        stop.cancel();
    };
    tokio::join!(
        runtime.run(stop.clone()),
        worker.exchange_hints(stop.clone()),
        f.queue.exchange_hints(stop.clone()),
        submitting
    );
}

async fn what_changes_in_one_process_is_heard_in_another() {
    let f = Fixture::new(On::Postgres).await;
    let worker = f.other(test_hooks::none());
    let runtime = Runtime::unguarded(&worker).await.unwrap();
    let stop = CancellationToken::new();
    let mut changes = f.queue.changes();
    let following = async {
        // It says so when it begins to hear.
        while !matches!(changes.recv().await, TaskChange::Missed) {}
        let id = f.steps(1).await;
        runtime.tick().await.unwrap();
        let done = |change| matches!(change, TaskChange::Task(task) if task.id == id && task.workflow_status == WorkflowStatus::Completed);
        while !done(changes.recv().await) {}
        stop.cancel();
    };
    let following = tokio::time::timeout(PATIENCE, following);
    let (_, _, heard) =
        tokio::join!(worker.exchange_hints(stop.clone()), f.queue.exchange_hints(stop.clone()), async {
            let heard = following.await;
            stop.cancel();
            heard
        });
    heard.expect("it was not heard");
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

/// The database was away for everybody. Whoever comes back first must not take the others for dead.
async fn an_outage_is_nobodys_death() {
    let brief = Duration::from_secs(2);
    let f = Fixture::with(On::Postgres, Settings { lease: brief, ..settings() }).await;
    let (probe, _never_released) = holding_claimed();
    let peer = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let first = f.runtime().await;
    let id = f.steps(1).await;
    peer.tick().await.unwrap();
    f.test.db.disturb(Faults::new(FaultPlan { statement: 1, ..FaultPlan::default() }));
    first.beat().await;
    f.test.clock.advance(brief * 2);
    first.beat().await;
    assert_eq!(first.rescue().await.unwrap(), 0, "the peer may be coming back, too");
    // It does not; and after a lease without a gap silence is death again.
    let found = async {
        while first.rescue().await.unwrap() == 0 {
            first.beat().await;
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("nobody is ever dead");
    assert_eq!(f.status(id).await, WorkflowStatus::Queued);
}
