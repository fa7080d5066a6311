//! Taking tasks back from processes that died, at the start of the next.

use model::{AttemptOutcome, WorkflowStatus};
use queue::{Error, Runtime};
use testkit::On;

use crate::{
    fence::{holding_after, holding_all, holding_claimed},
    fixture::{Fixture, OWNER, steps_task},
};

testkit::on_both!(
    a_new_start_takes_back_what_a_dead_process_held,
    a_death_without_progress_is_a_crash_and_the_third_is_poison,
    a_death_after_progress_is_no_crash,
    a_retried_poison_has_its_crashes_back,
    a_row_that_cannot_be_taken_back_blocks_no_other,
    a_second_runtime_is_kept_off_sqlite_only,
);

async fn a_new_start_takes_back_what_a_dead_process_held(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_after(1);
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(3).await;
    dead.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.add(queue::NewTask { priority: 9, ..steps_task(1) }).await;

    f.silence();
    let next = Runtime::start(&f.queue).await.unwrap();
    let rescued = f.task(id).await;
    assert_eq!((rescued.workflow_status, rescued.rescued, rescued.failures), (WorkflowStatus::Queued, true, 0));
    assert_eq!(rescued.scheduled_by_process, None);
    assert_eq!(f.queue.place_in_line(&rescued).await.unwrap(), Some(1), "before new work, whatever its priority");
    f.settle(&next).await;
    assert_eq!(f.effects(id).await, [(1, 1), (2, 2), (3, 2)], "from the bookmark on");
    let outcomes: Vec<_> = f.queue.attempts(id).await.unwrap().into_iter().map(|a| a.outcome().unwrap()).collect();
    assert_eq!(outcomes, [AttemptOutcome::Rescued, AttemptOutcome::Completed]);
}

/// A process claims what is due, begins nothing of it, and is taken for dead.
async fn die(f: &Fixture) {
    let (probe, _never_released) = holding_claimed();
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    dead.tick().await.unwrap();
    f.silence();
    f.runtime().await.rescue().await.unwrap();
}

async fn a_death_without_progress_is_a_crash_and_the_third_is_poison(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    for death in 1..=3 {
        die(&f).await;
        assert_eq!(f.task(id).await.crashes, death);
    }
    let poison = f.task(id).await;
    assert_eq!((poison.workflow_status, poison.failures), (WorkflowStatus::Failure, 0));
    assert!(poison.workflow_status_desc.unwrap().starts_with("poison: "));
}

async fn a_death_after_progress_is_no_crash(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_after(1);
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    dead.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.silence();
    f.runtime().await.rescue().await.unwrap();
    assert_eq!(f.task(id).await.crashes, 0);
}

async fn a_retried_poison_has_its_crashes_back(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    for _ in 0..3 {
        die(&f).await;
    }
    assert_eq!(f.status(id).await, WorkflowStatus::Failure);
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.retry(&txn, id, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    die(&f).await;
    let back = f.task(id).await;
    assert_eq!((back.workflow_status, back.crashes), (WorkflowStatus::Queued, 1));
}

/// What no row of that priority lets anybody do to it, and the end of that.
fn stuck(on: On) -> (&'static [&'static str], &'static str) {
    match on {
        On::Sqlite => (
            &["CREATE TRIGGER stuck BEFORE UPDATE ON queued_task WHEN OLD.priority = 7
               BEGIN SELECT RAISE(ABORT, 'stuck'); END"],
            "DROP TRIGGER stuck",
        ),
        On::Postgres => (
            &[
                "CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$",
                "CREATE TRIGGER stuck BEFORE UPDATE ON queued_task FOR EACH ROW WHEN (OLD.priority = 7)
                 EXECUTE FUNCTION stuck()",
            ],
            "DROP TRIGGER stuck ON queued_task",
        ),
    }
}

async fn a_row_that_cannot_be_taken_back_blocks_no_other(on: On) {
    let f = Fixture::new(on).await;
    for _ in 0..3 {
        f.add(queue::NewTask { priority: 7, ..steps_task(1) }).await;
    }
    let good = f.steps(1).await;
    let (probe, _never_released) = holding_all();
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(dead.tick().await.unwrap(), 4);
    let (begin, end) = stuck(on);
    for sql in begin {
        f.test.db.write(sql, []).await.unwrap();
    }
    f.silence();
    let runtime = f.runtime().await;
    assert_eq!(runtime.rescue().await.unwrap(), 1);
    assert_eq!(f.status(good).await, WorkflowStatus::Queued);
    f.test.db.write(end, []).await.unwrap();
    assert_eq!(runtime.rescue().await.unwrap(), 3, "they are tried again");
}

async fn a_second_runtime_is_kept_off_sqlite_only(on: On) {
    let f = Fixture::new(on).await;
    let first = Runtime::start(&f.queue).await.unwrap();
    match on {
        On::Sqlite => assert!(matches!(Runtime::start(&f.queue).await, Err(Error::Occupied(_)))),
        On::Postgres => drop(Runtime::start(&f.queue).await.unwrap()),
    }
    drop(first);
    Runtime::start(&f.queue).await.unwrap();
}
