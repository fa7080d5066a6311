//! The slots of a process follow what there is to do.

use std::time::Duration;

use model::WorkflowStatus;
use queue::{Scaling, Settings};
use testkit::On;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    fence::holding_all,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(slots_follow_the_backlog_and_nothing_is_cut_off);

async fn slots_follow_the_backlog_and_nothing_is_cut_off(on: On) {
    let scaling = Scaling { min: 1, max: 4, interval: Duration::from_millis(20) };
    let f = Fixture::with(on, Settings { slots: 1, scaling: Some(scaling), ..settings() }).await;
    let (probe, release) = holding_all();
    let runtime = queue::Runtime::unguarded(&f.other(probe)).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..6 {
        ids.push(f.add(steps_task(1)).await);
    }
    let stop = CancellationToken::new();
    let (running, until) = (runtime.clone(), stop.clone());
    let ran = TaskTracker::new();
    ran.spawn(async move { running.run(until).await });
    let grown = async {
        while runtime.slots() < 4 || f.queue.running(OWNER).await.unwrap() < 4 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), grown).await.expect("no slots were added");
    release.send_replace(true);
    for id in &ids {
        let task = f.until(*id, WorkflowStatus::Completed).await;
        assert_eq!(task.attempt, 1, "cut off");
    }
    let shrunk = async {
        while runtime.slots() > 1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), shrunk).await.expect("no slots were taken away");
    stop.cancel();
    ran.close();
    ran.wait().await;
}
