//! An older backup is put back while processes of before still live, with tasks in hand. Attempts count backwards then, so that
//! a run of before meets its own number again; nothing of it may reach what was put back.

use model::{TaskId, WorkflowStatus};
use queue::{
    Progress, Runtime, add_late,
    test_faults::{Commit, FaultPlan, Faults},
};
use sea_orm::ConnectionTrait;
use testkit::On;
use tokio::sync::watch;

use crate::{
    fence::{both, holding_after, holding_claimed},
    fixture::{Fixture, OWNER},
};

testkit::on_both!(
    a_run_of_before_writes_nothing_into_the_run_that_has_its_number_now,
    a_task_claimed_before_does_not_start_in_place_of_the_one_that_has_its_number_now,
    a_run_that_is_ahead_of_the_backup_leaves_no_gap,
    a_process_that_claims_its_own_number_again_does_the_work_once,
    a_run_of_before_that_is_told_to_stop_puts_nothing_back,
    a_run_of_before_whose_commit_was_lost_does_not_take_the_other_run_for_its_own,
    what_comes_back_late_from_before_is_not_added_to_the_task_that_was_given_up,
);

/// What is in a backup.
const TABLES: [&str; 4] = ["process", "queued_task", "task_attempt", "effect"];

/// Backs the tables up, as they are now.
async fn back_up(f: &Fixture) {
    let txn = f.test.db.begin_write().await.unwrap();
    for table in TABLES {
        txn.execute_unprepared(&format!("CREATE TABLE backup_{table} AS SELECT * FROM {table}")).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
}

/// Puts back what was backed up, in place of what is there.
async fn restore(f: &Fixture) {
    let txn = f.test.db.begin_write().await.unwrap();
    for table in TABLES.iter().rev() {
        txn.execute_unprepared(&format!("DELETE FROM {table}")).await.unwrap();
    }
    for table in TABLES {
        txn.execute_unprepared(&format!("INSERT INTO {table} SELECT * FROM backup_{table}")).await.unwrap();
    }
    f.test.db.commit(txn).await.unwrap();
}

async fn until_done(f: &Fixture, id: TaskId, steps: i64) {
    while f.task(id).await.succeeded < steps {
        tokio::task::yield_now().await;
    }
}

/// A task of four steps that was backed up while it waited, and its run of before, held after the first step.
async fn held(f: &Fixture) -> (Runtime, watch::Sender<bool>, TaskId) {
    let (probe, release) = holding_after(1);
    let before = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(4).await;
    back_up(f).await;
    assert_eq!(before.tick().await.unwrap(), 1);
    until_done(f, id, 1).await;
    (before, release, id)
}

/// Another process, which has claimed the task anew and is held after so many steps.
async fn replaced(f: &Fixture, id: TaskId, steps: i64) -> (Runtime, watch::Sender<bool>) {
    let (probe, release) = holding_after(steps);
    let now = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(now.tick().await.unwrap(), 1);
    until_done(f, id, steps).await;
    assert_eq!(f.task(id).await.attempt, 1, "the number of before");
    (now, release)
}

async fn a_run_of_before_writes_nothing_into_the_run_that_has_its_number_now(on: On) {
    let f = Fixture::new(on).await;
    let (before, wake_before, id) = held(&f).await;
    restore(&f).await;
    assert_eq!((f.task(id).await.attempt, f.effects(id).await), (0, vec![]));

    // As far as the run of before is, so that nothing but the fence tells the two apart.
    let (now, release) = replaced(&f, id, 1).await;
    let left = f.task(id).await;
    wake_before.send_replace(true);
    before.idle().await;
    assert_eq!((f.task(id).await, f.effects(id).await), (left, vec![(1, 1)]));
    release.send_replace(true);
    now.idle().await;

    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.succeeded, done.attempt), (WorkflowStatus::Completed, 4, 1));
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1), (4, 1)]);
}

async fn a_task_claimed_before_does_not_start_in_place_of_the_one_that_has_its_number_now(on: On) {
    let f = Fixture::new(on).await;
    let (probe, wake_before) = holding_claimed();
    let before = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    back_up(&f).await;
    before.tick().await.unwrap();
    restore(&f).await;

    let (probe, release) = holding_claimed();
    let now = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(now.tick().await.unwrap(), 1);
    let claimed = f.task(id).await;
    wake_before.send_replace(true);
    before.idle().await;
    assert_eq!((f.task(id).await, f.effects(id).await), (claimed, vec![]));
    release.send_replace(true);
    now.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1)]);
}

/// The backup has the very attempt that still runs, with fewer steps done: going on would leave out those in between.
async fn a_run_that_is_ahead_of_the_backup_leaves_no_gap(on: On) {
    let f = Fixture::new(on).await;
    let (first, go_on) = holding_after(1);
    let (second, wake_before) = holding_after(3);
    let before = Runtime::unguarded(&f.other(both(first, second))).await.unwrap();
    let id = f.steps(4).await;
    before.tick().await.unwrap();
    until_done(&f, id, 1).await;
    back_up(&f).await;
    go_on.send_replace(true);
    until_done(&f, id, 3).await;
    restore(&f).await;

    wake_before.send_replace(true);
    before.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1)]);
    // Nobody is on it, and its own process is the first to know.
    f.settle(&before).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2), (4, 2)]);
    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.succeeded, done.failures), (WorkflowStatus::Completed, 4, 0));
}

async fn a_process_that_claims_its_own_number_again_does_the_work_once(on: On) {
    let f = Fixture::new(on).await;
    let (first, wake_before) = holding_after(1);
    let (second, release) = holding_after(2);
    let same = Runtime::unguarded(&f.other(both(first, second))).await.unwrap();
    let id = f.steps(4).await;
    back_up(&f).await;
    same.tick().await.unwrap();
    until_done(&f, id, 1).await;
    restore(&f).await;

    assert_eq!(same.tick().await.unwrap(), 1);
    until_done(&f, id, 2).await;
    wake_before.send_replace(true);
    // Its slot is still its own: it is neither put back nor claimed once more.
    assert_eq!(same.tick().await.unwrap(), 0);
    assert_eq!((f.status(id).await, f.task(id).await.attempt), (WorkflowStatus::Executing, 1));
    release.send_replace(true);
    same.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert_eq!(f.task(id).await.succeeded, 4);
}

async fn a_run_of_before_that_is_told_to_stop_puts_nothing_back(on: On) {
    let f = Fixture::new(on).await;
    let (before, wake_before, id) = held(&f).await;
    restore(&f).await;
    let (now, release) = replaced(&f, id, 2).await;
    let left = f.task(id).await;
    tokio::join!(before.drain(), async { wake_before.send_replace(true) });
    assert_eq!(f.task(id).await, left);
    release.send_replace(true);
    now.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1), (4, 1)]);
}

async fn a_run_of_before_whose_commit_was_lost_does_not_take_the_other_run_for_its_own(on: On) {
    let f = Fixture::new(on).await;
    let (probe, wake_before) = holding_claimed();
    let before = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(4).await;
    back_up(&f).await;
    before.tick().await.unwrap();
    restore(&f).await;
    let (now, release) = replaced(&f, id, 1).await;

    // Its next commit, after which it looks at what there is.
    f.test.db.disturb(Faults::new(FaultPlan { commit: 1, how: Some(Commit::Refused), ..FaultPlan::default() }));
    wake_before.send_replace(true);
    before.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1)]);
    release.send_replace(true);
    now.idle().await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1), (4, 1)]);
}

async fn what_comes_back_late_from_before_is_not_added_to_the_task_that_was_given_up(on: On) {
    let f = Fixture::new(on).await;
    let (before, wake_before, id) = held(&f).await;
    let former = f.task(id).await;
    restore(&f).await;
    let (now, release) = replaced(&f, id, 1).await;
    let late = Progress { uncertain: 1, ..Progress::default() };

    let txn = f.test.db.begin_write().await.unwrap();
    let own = f.task(id).await;
    let given_up = f.queue.abandon(&txn, id, OWNER, None).await.unwrap();
    assert!(!add_late(&f.test.db, &txn, &former, &late).await.unwrap(), "by the run of before");
    assert!(add_late(&f.test.db, &txn, &own, &late).await.unwrap(), "by the run that it was taken from");
    f.test.db.commit(txn).await.unwrap();
    assert_eq!(f.task(id).await.uncertain, given_up.uncertain + 1);
    wake_before.send_replace(true);
    release.send_replace(true);
    before.idle().await;
    now.idle().await;
}
