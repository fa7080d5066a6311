//! What a process leaves alone that is told not to act.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use model::{TaskId, WorkflowStatus};
use queue::{
    Gate, Runtime, Settings,
    lock::Lock,
    schedule::{Schedule, Scheduler, When, Work},
};
use sea_orm::DbErr;
use testkit::On;

use crate::{
    fence::holding_claimed,
    fixture::{Fixture, settings},
};

testkit::on_both!(
    a_process_that_may_not_act_claims_and_takes_back_nothing,
    a_process_that_may_not_act_takes_nothing_back_as_it_starts,
    a_process_that_may_not_act_fires_no_schedule,
    a_process_that_was_told_to_take_nothing_takes_nothing_though_its_gate_is_open,
);

testkit::tests!(a_process_that_has_not_been_heard_of_fires_and_takes_back_nothing);

#[derive(Clone, Default)]
struct Shut(Arc<AtomicBool>);

#[async_trait]
impl Gate for Shut {
    async fn obstacle(&self) -> Result<Option<String>, DbErr> {
        Ok(self.0.load(Ordering::SeqCst).then(|| "a newer version".to_owned()))
    }
}

impl Shut {
    fn shut(&self, shut: bool) {
        self.0.store(shut, Ordering::SeqCst);
    }
}

/// A task that a process was at which has died since.
async fn left_by_a_dead_process(f: &Fixture) -> TaskId {
    let (probe, _never_released) = holding_claimed();
    let dying = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let left = f.steps(1).await;
    assert_eq!(dying.tick().await.unwrap(), 1);
    dying.kill();
    f.silence();
    f.test.clock.advance(f.queue.settings().cleaning.crash_interval_of("steps"));
    left
}

/// Counts its fires.
#[derive(Clone, Default)]
struct Counted(Arc<AtomicUsize>);

#[async_trait]
impl Work for Counted {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(String::new())
    }
}

const HOUR: Duration = Duration::from_secs(3_600);

/// A schedule of this process that is due.
async fn due(f: &Fixture, runtime: &Runtime) -> (Scheduler, Counted) {
    let work = Counted::default();
    let default = When::Every(HOUR);
    let schedule =
        Schedule { name: "hourly", default, configured: None, zone: chrono_tz::UTC, work: Arc::new(work.clone()) };
    let scheduler = Scheduler::new(runtime, f.queue.locks(runtime.process()), vec![schedule]);
    scheduler.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    (scheduler, work)
}

async fn a_process_that_may_not_act_takes_nothing_back_as_it_starts(on: On) {
    let f = Fixture::new(on).await;
    let left = left_by_a_dead_process(&f).await;
    let shut = Shut::default();
    shut.shut(true);
    let runtime = Runtime::start_behind(&f.queue, shut.clone()).await.unwrap();
    assert!(f.status(left).await.is_running());
    shut.shut(false);
    assert_eq!(runtime.rescue().await.unwrap(), 1);
}

async fn a_process_that_may_not_act_fires_no_schedule(on: On) {
    let f = Fixture::new(on).await;
    let shut = Shut::default();
    let runtime = Runtime::start_behind(&f.queue, shut.clone()).await.unwrap();
    let (scheduler, work) = due(&f, &runtime).await;
    shut.shut(true);
    assert_eq!((scheduler.tick().await.unwrap(), work.0.load(Ordering::SeqCst)), (0, 0));
    shut.shut(false);
    assert_eq!((scheduler.tick().await.unwrap(), work.0.load(Ordering::SeqCst)), (1, 1));
}

async fn a_process_that_was_told_to_take_nothing_takes_nothing_though_its_gate_is_open(on: On) {
    let f = Fixture::new(on).await;
    let shut = Shut::default();
    let runtime = Runtime::start_behind(&f.queue, shut.clone()).await.unwrap();
    let waiting = f.steps(1).await;
    runtime.abstain(true).await.unwrap();
    for gate in [false, true, false] {
        shut.shut(gate);
        assert_eq!(runtime.tick().await.unwrap(), 0);
    }
    assert_eq!(f.status(waiting).await, WorkflowStatus::Queued);
    runtime.abstain(false).await.unwrap();
    f.settle(&runtime).await;
    assert_eq!(f.status(waiting).await, WorkflowStatus::Completed);
}

/// Its own clock decides, since it may be the database that does not answer. SQLite has one process, which does not beat.
async fn a_process_that_has_not_been_heard_of_fires_and_takes_back_nothing() {
    let f = Fixture::with(On::Postgres, Settings { lease: Duration::from_nanos(2), ..settings() }).await;
    let left = left_by_a_dead_process(&f).await;
    let runtime = Runtime::unguarded(&f.queue).await.unwrap();
    let (scheduler, work) = due(&f, &runtime).await;
    runtime.begin_beating();
    assert!(runtime.permit().await.unwrap().is_none());
    assert_eq!((runtime.rescue().await.unwrap(), runtime.take_back_silent().await.unwrap()), (0, 0));
    assert_eq!((scheduler.tick().await.unwrap(), work.0.load(Ordering::SeqCst)), (0, 0));
    assert!(f.status(left).await.is_running());
}

async fn a_process_that_may_not_act_claims_and_takes_back_nothing(on: On) {
    let f = Fixture::new(on).await;
    let left = left_by_a_dead_process(&f).await;
    let shut = Shut::default();
    shut.shut(true);
    let runtime = Runtime::start_behind(&f.queue, shut.clone()).await.unwrap();
    let waiting = f.steps(1).await;
    assert_eq!((runtime.tick().await.unwrap(), runtime.rescue().await.unwrap()), (0, 0));
    assert!(runtime.permit().await.unwrap().is_none());
    assert_eq!(runtime.take_back_silent().await.unwrap(), 0);
    assert_eq!(f.status(left).await, WorkflowStatus::Scheduling);
    shut.shut(false);
    if on == On::Postgres {
        assert_eq!(runtime.rescue().await.unwrap(), 1);
    }
    f.settle(&runtime).await;
    assert_eq!(f.status(waiting).await, WorkflowStatus::Completed);
}
