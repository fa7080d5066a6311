//! The slots of a process follow what there is to do.

use std::time::Duration;

use model::{TaskId, WorkflowStatus};
use queue::{Runtime, Scaler, Scaling, Settings, test_hooks::Probe};
use testkit::On;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, PATIENCE, settings, steps_task},
};

testkit::on_both!(slots_follow_the_backlog_and_nothing_is_cut_off, what_is_at_the_limit_of_its_owner_adds_no_slots,);

/// A process that works, and the tasks that it found.
struct Process {
    runtime: Runtime,
    ids: Vec<TaskId>,
    stop: CancellationToken,
    ran: TaskTracker,
}

impl Process {
    async fn with_six_tasks(f: &Fixture, probe: Probe) -> Process {
        let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..6 {
            ids.push(f.add(steps_task(1)).await);
        }
        let (stop, ran) = (CancellationToken::new(), TaskTracker::new());
        let (running, until) = (runtime.clone(), stop.clone());
        ran.spawn(async move { running.run(until).await });
        Process { runtime, ids, stop, ran }
    }

    async fn end(self) {
        self.stop.cancel();
        self.ran.close();
        self.ran.wait().await;
    }
}

async fn slots_follow_the_backlog_and_nothing_is_cut_off(on: On) {
    let scaling = Scaling { min: 1, max: 4, interval: Duration::from_millis(20) };
    let f = Fixture::with(on, Settings { slots: 1, scaling: Some(scaling), ..settings() }).await;
    let (probe, release) = holding_all();
    let process = Process::with_six_tasks(&f, probe).await;
    let all_busy = async || process.runtime.slots() == 4 && f.queue.running(OWNER).await.unwrap() == 4;
    until(all_busy, "no slots were added").await;
    assert_eq!(f.queue.processes().await.unwrap()[0].slots, 4, "as pages show them");
    release.send_replace(true);
    for id in &process.ids {
        let task = f.until(*id, WorkflowStatus::Completed).await;
        assert_eq!(task.attempt, 1, "cut off");
    }
    until(async || process.runtime.slots() == 1, "no slots were taken away").await;
    process.end().await;
}

async fn what_is_at_the_limit_of_its_owner_adds_no_slots(on: On) {
    let scaling = Scaling { min: 1, max: 4, interval: Duration::from_secs(10) };
    // It looks when the test says so.
    let limited = Settings { slots: 1, per_owner: 2, scaling: None, ..settings() };
    let f = Fixture::with(on, limited).await;
    let (probe, release) = holding_all();
    let process = Process::with_six_tasks(&f, probe).await;
    let mut scaler = Scaler::new(scaling, 1);
    for running in 1..=2 {
        until(async || f.queue.running(OWNER).await.unwrap() == running, "no slots were added").await;
        // Two looks are enough to add a slot.
        for _ in 0..2 {
            process.runtime.scale(&mut scaler).await;
        }
        assert_eq!(process.runtime.slots(), 2, "what waits may not run, however many slots there are");
    }
    release.send_replace(true);
    for id in &process.ids {
        f.until(*id, WorkflowStatus::Completed).await;
    }
    process.end().await;
}

async fn until(met: impl AsyncFn() -> bool, otherwise: &str) {
    let wait = async {
        while !met().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect(otherwise);
}
