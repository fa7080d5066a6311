//! What becomes of a task whose process died, by its kind, and who hears of a task that is dead.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use model::{AttemptOutcome, TaskId, WorkflowStatus};
use queue::{
    Database, Executor, NewTask, Queue, Recovery, Registry, Run, Runtime, Task, Transaction, dead_task_notice::Notices,
    self_test::SelfTest,
};
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::{Value, json};
use testkit::On;

use crate::{
    fence::{holding_all, holding_claimed},
    fixture::{Fixture, LEASE, Mood, OWNER, Steps, settings},
};

testkit::on_both!(
    a_kind_that_compensates_ends_and_leaves_the_task_that_undoes_it,
    a_kind_that_is_not_tried_again_is_given_up,
    a_compensation_that_is_refused_ends_the_task_all_the_same,
    the_last_failure_is_told_with_the_ending,
    a_notice_that_cannot_be_written_does_not_keep_the_task_alive,
    the_cleaner_treats_each_kind_by_its_policy_after_its_crash_interval,
    two_cleaners_at_once_do_no_harm,
    a_kind_that_another_knows_is_recovered_by_that_one,
);

/// Steps under another name and with another recovery.
pub struct Renamed(pub &'static str, pub Recovery);

impl Executor for Renamed {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        Steps(Mood::default()).build(spec)
    }

    fn recovery(&self) -> Recovery {
        self.1
    }
}

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<(String, String)>>>);

#[async_trait]
impl Notices for Heard {
    async fn dead(&self, _: &Database, _: &Transaction, task: &Task, how: AttemptOutcome) -> Result<(), DbErr> {
        self.0.lock().unwrap().push((task.execution_component_name.clone(), how.name().to_owned()));
        Ok(())
    }
}

fn undo(task: &Task) -> NewTask {
    let steps: Value = serde_json::from_str(task.execution_spec.as_deref().unwrap()).unwrap();
    NewTask::new("steps", json!({ "steps": steps["steps"] }), task.owner_id)
}

pub fn registry() -> Registry {
    Registry::default()
        .with(Steps(Mood::default()))
        .with(SelfTest)
        .with(Renamed("undone", Recovery::Compensate(undo)))
        .with(Renamed("once", Recovery::Abandon))
        .with(Renamed(
            "undone-wrongly",
            Recovery::Compensate(|task| NewTask::new("nobody-knows", json!({}), task.owner_id)),
        ))
        .with(Renamed("undone-in-panic", Recovery::Compensate(|_| std::panic::panic_any("cannot undo it"))))
}

/// A task of that kind whose process died at it, after it was taken back; and what was heard.
async fn after_a_death(f: &Fixture, kind: &str) -> (Task, Queue, Vec<(String, String)>) {
    let (probe, _never_released) = holding_claimed();
    let dying = Queue::with_probe(f.test.db.clone(), registry(), settings(), probe);
    let txn = f.test.db.begin_write().await.unwrap();
    let task = dying.enqueue(&txn, NewTask::new(kind, json!({ "steps": 1 }), OWNER)).await.unwrap().task();
    f.test.db.commit(txn).await.unwrap();
    Runtime::unguarded(&dying).await.unwrap().tick().await.unwrap();
    f.silence();
    let heard = Heard::default();
    let queue = Queue::with_notices(f.test.db.clone(), registry(), settings(), Arc::new(heard.clone()));
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    assert_eq!(runtime.rescue().await.unwrap(), 1);
    f.settle(&runtime).await;
    let told = heard.0.lock().unwrap().clone();
    (f.task(task.id).await, queue, told)
}

async fn a_kind_that_compensates_ends_and_leaves_the_task_that_undoes_it(on: On) {
    let f = Fixture::new(on).await;
    let (ended, queue, told) = after_a_death(&f, "undone").await;
    assert_eq!(ended.workflow_status, WorkflowStatus::Failure);
    assert_eq!(told, [("undone".to_owned(), "COMPENSATED".to_owned())]);
    let search = queue::TaskSearch { kind: Some("steps".to_owned()), limit: 10, ..Default::default() };
    let undoing = queue.tasks(&search).await.unwrap().tasks;
    let undoing: Vec<_> = undoing.iter().map(|task| (task.parent_task_id, task.workflow_status)).collect();
    assert_eq!(undoing, [(Some(ended.id), WorkflowStatus::Completed)]);
}

async fn a_kind_that_is_not_tried_again_is_given_up(on: On) {
    let f = Fixture::new(on).await;
    let (ended, _, told) = after_a_death(&f, "once").await;
    assert_eq!((ended.workflow_status, ended.abandoned_by), (WorkflowStatus::Abandoned, None));
    assert_eq!(told, [("once".to_owned(), "GIVEN_UP".to_owned())]);
    assert_eq!(f.effects(ended.id).await, []);
}

async fn the_last_failure_is_told_with_the_ending(on: On) {
    let f = Fixture::new(on).await;
    let heard = Heard::default();
    let queue = Queue::with_notices(f.test.db.clone(), registry(), settings(), Arc::new(heard.clone()));
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    f.add(NewTask::new("self-test", json!({ "outcome": "transient", "failTimes": 1 }), OWNER)).await;
    f.add(NewTask::new("self-test", json!({ "outcome": "permanent" }), OWNER)).await;
    f.settle(&runtime).await;
    assert_eq!(*heard.0.lock().unwrap(), [("self-test".to_owned(), "FAILED".to_owned())], "not of the one tried again");
}

async fn a_compensation_that_is_refused_ends_the_task_all_the_same(on: On) {
    let f = Fixture::new(on).await;
    for kind in ["undone-wrongly", "undone-in-panic"] {
        let (ended, _, told) = after_a_death(&f, kind).await;
        assert_eq!(ended.workflow_status, WorkflowStatus::Failure, "{kind}");
        assert!(ended.workflow_status_desc.unwrap().starts_with("process_died: "), "{kind}");
        assert_eq!(told, [(kind.to_owned(), "FAILED".to_owned())]);
    }
}

/// Cannot write what it is told.
struct Mute;

#[async_trait]
impl Notices for Mute {
    async fn dead(&self, db: &Database, txn: &Transaction, _: &Task, _: AttemptOutcome) -> Result<(), DbErr> {
        txn.execute_raw(db.statement("INSERT INTO nowhere (nothing) VALUES (1)", [])).await.map(drop)
    }
}

async fn a_notice_that_cannot_be_written_does_not_keep_the_task_alive(on: On) {
    let f = Fixture::new(on).await;
    let queue = Queue::with_notices(f.test.db.clone(), registry(), settings(), Arc::new(Mute));
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    let id = f.add(NewTask::new("self-test", json!({ "outcome": "permanent" }), OWNER)).await;
    f.settle(&runtime).await;
    let ended = f.task(id).await;
    assert_eq!((ended.workflow_status, ended.attempt), (WorkflowStatus::Failure, 1));
}

/// Tasks of these kinds whose process died, and a queue with a cleaner that takes "once" back later than the others.
pub async fn left_by_the_dead(f: &Fixture, kinds: &[&str]) -> (Queue, Vec<TaskId>) {
    let (probe, _never_released) = holding_all();
    let mut settings = settings();
    settings.cleaning.crash_interval = 2 * LEASE;
    settings.cleaning.crash_interval_per_kind = [("once".to_owned(), 4 * LEASE)].into();
    let dying = Queue::with_probe(f.test.db.clone(), registry(), settings.clone(), probe);
    let mut ids = Vec::new();
    for kind in kinds {
        let txn = f.test.db.begin_write().await.unwrap();
        let task = dying.enqueue(&txn, NewTask::new(kind, json!({ "steps": 1 }), OWNER)).await.unwrap().task();
        f.test.db.commit(txn).await.unwrap();
        ids.push(task.id);
    }
    let process = Runtime::unguarded(&dying).await.unwrap();
    assert_eq!(process.tick().await.unwrap(), kinds.len());
    process.kill();
    if !f.test.db.is_postgres() {
        // The next one that starts does that.
        f.test.db.write("DELETE FROM process", []).await.unwrap();
    }
    (Queue::new(f.test.db.clone(), registry(), settings), ids)
}

async fn the_cleaner_treats_each_kind_by_its_policy_after_its_crash_interval(on: On) {
    let f = Fixture::new(on).await;
    let (queue, ids) = left_by_the_dead(&f, &["steps", "undone", "once"]).await;
    let cleaner = Runtime::unguarded(&queue).await.unwrap();
    f.silence();
    assert_eq!(cleaner.take_back_silent().await.unwrap(), 0, "silent beyond the lease, but not for a crash interval");
    f.silence();
    assert_eq!(cleaner.take_back_silent().await.unwrap(), 2);
    assert_eq!(f.status(ids[0]).await, WorkflowStatus::Queued, "tried again");
    assert_eq!(f.status(ids[1]).await, WorkflowStatus::Failure, "undone");
    let search = queue::TaskSearch { kind: Some("steps".to_owned()), limit: 10, ..Default::default() };
    let steps = queue.tasks(&search).await.unwrap().tasks;
    assert!(steps.iter().any(|task| task.parent_task_id == Some(ids[1])), "by another task");
    assert_eq!(f.status(ids[2]).await, WorkflowStatus::Scheduling, "its own crash interval is longer");
    f.test.clock.advance(2 * LEASE);
    assert_eq!(cleaner.take_back_silent().await.unwrap(), 1);
    assert_eq!(f.status(ids[2]).await, WorkflowStatus::Abandoned, "given up");
}

async fn two_cleaners_at_once_do_no_harm(on: On) {
    let f = Fixture::new(on).await;
    let (queue, ids) = left_by_the_dead(&f, &["steps", "undone", "steps", "undone"]).await;
    let cleaners = [Runtime::unguarded(&queue).await.unwrap(), Runtime::unguarded(&queue).await.unwrap()];
    f.test.clock.advance(3 * LEASE);
    let (one, other) = tokio::join!(cleaners[0].take_back_silent(), cleaners[1].take_back_silent());
    assert_eq!(one.unwrap() + other.unwrap(), ids.len());
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    f.settle(&runtime).await;
    let search = queue::TaskSearch { kind: Some("steps".to_owned()), limit: 10, ..Default::default() };
    let steps = queue.tasks(&search).await.unwrap().tasks;
    assert_eq!(steps.len(), 4, "each was undone once");
    for task in steps {
        assert_eq!((task.workflow_status, f.effects(task.id).await.len()), (WorkflowStatus::Completed, 1));
    }
}

async fn a_kind_that_another_knows_is_recovered_by_that_one(on: On) {
    let f = Fixture::new(on).await;
    let (queue, ids) = left_by_the_dead(&f, &["once"]).await;
    f.silence();
    let stranger = f.runtime().await;
    let knows = Runtime::unguarded(&queue).await.unwrap();
    assert_eq!(stranger.rescue().await.unwrap(), 0);
    assert_eq!(f.status(ids[0]).await, WorkflowStatus::Scheduling, "how it ends is not for it to say");
    assert_eq!(knows.rescue().await.unwrap(), 1);
    assert_eq!(f.status(ids[0]).await, WorkflowStatus::Abandoned);
}
