//! What a process does with a task that hangs, and with a task that may be the one that kills processes.

use std::{sync::Arc, time::Duration};

use model::WorkflowStatus;
use queue::{
    DatabaseLimits, NewTask, Runtime, Settings,
    test_hooks::{self, Point, Probe},
};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::On;
use tokio::sync::watch;

use crate::{
    fence::{both, holding_after, holding_all, holding_claimed, holding_commits},
    fixture::{Fixture, OWNER, PATIENCE, settings},
};

testkit::tests!(
    a_deadline_costs_a_failure_whoever_finds_it_first,
    a_task_that_hangs_with_its_row_locked_is_taken_back,
    a_locked_row_keeps_no_other_from_its_rescue,
    a_deadline_that_is_moved_while_it_is_looked_at_is_not_held_against_a_task,
);

testkit::on_both!(
    a_hung_task_loses_its_slot_and_costs_a_failure,
    a_task_that_hangs_inside_a_chunk_lets_go_of_its_locks,
    a_deadline_that_moved_on_is_not_held_against_a_task,
    each_chunk_moves_the_deadline,
    a_task_that_was_taken_away_elsewhere_frees_its_slot_here,
    after_two_deaths_a_task_runs_alone,
    nothing_is_claimed_beside_a_suspect,
);

async fn a_hung_task_loses_its_slot_and_costs_a_failure(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let (probe, _never_released) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let hung = f.steps(3).await;
    runtime.tick().await.unwrap();
    while f.task(hung).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    let next = f.steps(1).await;
    assert_eq!(runtime.tick().await.unwrap(), 0, "the one slot is taken");
    f.test.clock.advance(settings().deadline + Duration::from_secs(1));
    assert_eq!(runtime.rescue().await.unwrap(), 1);
    let back = f.task(hung).await;
    assert_eq!((back.workflow_status, back.failures, back.crashes), (WorkflowStatus::Queued, 1, 0));
    assert!(back.workflow_status_desc.unwrap().starts_with("deadline: "));
    f.settle(&runtime).await;
    assert_eq!(f.status(next).await, WorkflowStatus::Completed);
    f.test.clock.advance(settings().backoff_max);
    f.settle(&runtime).await;
    assert_eq!(f.effects(hung).await, [(1, 1), (2, 2), (3, 2)]);
}

/// By the real clock: the work of a chunk is ended by the process that does it, at half of the deadline.
async fn a_task_that_hangs_inside_a_chunk_lets_go_of_its_locks(on: On) {
    let f = Fixture::with(on, Settings { deadline: Duration::from_secs(6), max_failures: 1, ..settings() }).await;
    let runtime = f.runtime().await;
    let hung = f.add(NewTask::new("self-test", json!({ "outcome": "hang" }), OWNER)).await;
    runtime.tick().await.unwrap();
    let ended = f.until(hung, WorkflowStatus::Failure).await;
    assert!(ended.workflow_status_desc.unwrap().starts_with("deadline: "));
    let next = f.steps(1).await;
    f.settle(&runtime).await;
    assert_eq!(f.status(next).await, WorkflowStatus::Completed);
}

/// It was taken from memory, and not yet from the table, when this process looked.
async fn a_deadline_costs_a_failure_whoever_finds_it_first() {
    let f = Fixture::new(On::Postgres).await;
    let (probe, _never_released) = holding_claimed();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(1).await;
    runtime.tick().await.unwrap();
    f.test.clock.advance(settings().deadline + Duration::from_secs(1));
    runtime.kill();
    runtime.idle().await;
    runtime.tick().await.unwrap();
    let back = f.task(id).await;
    assert_eq!((back.workflow_status, back.failures), (WorkflowStatus::Queued, 1));
}

/// Of a database that by itself ends no wait for a row and no silence within the time of a test.
fn endless() -> DatabaseLimits {
    DatabaseLimits { frozen: PATIENCE * 10, locked: PATIENCE * 10, ..DatabaseLimits::default() }
}

/// SQLite has no locks on rows.
async fn a_task_that_hangs_with_its_row_locked_is_taken_back() {
    let f = Fixture::new(On::Postgres).await;
    let (probe, _never_released) = holding_commits();
    let runtime = Runtime::unguarded(&f.limited(endless(), probe).await).await.unwrap();
    let hung = f.steps(1).await;
    runtime.tick().await.unwrap();
    f.until(hung, WorkflowStatus::Executing).await;
    f.test.clock.advance(settings().deadline + Duration::from_secs(1));
    let rescued = async { while runtime.rescue().await.unwrap() == 0 {} };
    tokio::time::timeout(PATIENCE, rescued).await.expect("it waits for its own lock");
    f.test.clock.advance(settings().backoff_max);
    f.settle(&f.runtime().await).await;
    assert_eq!((f.status(hung).await, f.effects(hung).await.len()), (WorkflowStatus::Completed, 1));
}

/// Somebody frozen holds the row of one of two tasks. SQLite has no locks on rows.
async fn a_locked_row_keeps_no_other_from_its_rescue() {
    let f = Fixture::new(On::Postgres).await;
    let (probe, _never_released) = holding_all();
    let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let (locked, free) = (f.steps(1).await, f.steps(1).await);
    assert_eq!(dead.tick().await.unwrap(), 2);
    f.silence();
    let queue = f.limited(endless(), test_hooks::none()).await;
    let txn = queue.db().begin_write().await.unwrap();
    let lock = "SELECT id FROM queued_task WHERE id = $1 FOR UPDATE";
    txn.query_one_raw(f.test.db.statement(lock, [locked.into()])).await.unwrap();
    let runtime = Runtime::unguarded(&queue).await.unwrap();
    let rescued = tokio::time::timeout(PATIENCE, runtime.rescue()).await;
    assert_eq!(rescued.expect("it waits for the locked row").unwrap(), 1);
    assert_eq!(f.status(free).await, WorkflowStatus::Queued);
    txn.rollback().await.unwrap();
    assert_eq!(runtime.rescue().await.unwrap(), 1);
}

async fn a_deadline_that_moved_on_is_not_held_against_a_task(on: On) {
    let f = Fixture::new(on).await;
    let (probe, release) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(3).await;
    runtime.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.test.clock.advance(settings().deadline - Duration::from_secs(5));
    release.send_replace(true);
    runtime.idle().await;
    f.test.clock.advance(Duration::from_secs(10));
    assert_eq!(runtime.rescue().await.unwrap(), 0);
    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.failures), (WorkflowStatus::Completed, 0));
}

async fn each_chunk_moves_the_deadline(on: On) {
    let f = Fixture::new(on).await;
    let (first, begin) = holding_claimed();
    let (second, go_on) = holding_after(1);
    let runtime = Runtime::unguarded(&f.other(both(first, second))).await.unwrap();
    let id = f.steps(2).await;
    runtime.tick().await.unwrap();
    let most_of_it = settings().deadline * 2 / 3;
    f.test.clock.advance(most_of_it);
    begin.send_replace(true);
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.test.clock.advance(most_of_it);
    assert_eq!(runtime.rescue().await.unwrap(), 0);
    go_on.send_replace(true);
    runtime.idle().await;
    assert_eq!((f.status(id).await, f.task(id).await.attempt), (WorkflowStatus::Completed, 1));
}

/// The deadline has passed when it is looked at, and a chunk is under way that moves it.
async fn a_deadline_that_is_moved_while_it_is_looked_at_is_not_held_against_a_task() {
    let f = Fixture::new(On::Postgres).await;
    // However long the commit takes, the look waits for it.
    let limits = DatabaseLimits { locked_at_rescue: PATIENCE * 10, ..endless() };
    let (stage, stages) = watch::channel(0);
    let (here, mut reached) = watch::channel(false);
    let probe: Probe = Arc::new(move |at, _| {
        let (mut stages, here) = (stages.clone(), here.clone());
        Box::pin(async move {
            match at {
                Point::Claimed => drop(stages.wait_for(|stage| *stage >= 1).await),
                Point::BetweenChunks => {}
                Point::BeforeCommit => {
                    here.send_replace(true);
                    drop(stages.wait_for(|stage| *stage >= 2).await);
                }
            }
        })
    });
    let runtime = Runtime::unguarded(&f.limited(limits, probe).await).await.unwrap();
    let id = f.steps(20).await;
    runtime.tick().await.unwrap();
    let most_of_it = settings().deadline * 2 / 3;
    f.test.clock.advance(most_of_it);
    stage.send_replace(1);
    reached.wait_for(|reached| *reached).await.unwrap();
    f.test.clock.advance(most_of_it);
    let waiting = f.test.db.statement(
        "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        [],
    );
    let commit = async {
        loop {
            let row = f.test.db.reader().query_one_raw(waiting.clone()).await.unwrap().unwrap();
            if row.try_get::<i64>("", "n").unwrap() > 0 {
                return stage.send_replace(2);
            }
        }
    };
    let (rescued, _) = tokio::join!(runtime.rescue(), commit);
    assert_eq!(rescued.unwrap(), 0);
    runtime.idle().await;
    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.failures), (WorkflowStatus::Completed, 0));
}

async fn a_task_that_was_taken_away_elsewhere_frees_its_slot_here(on: On) {
    let f = Fixture::with(on, Settings { slots: 1, ..settings() }).await;
    let (probe, _never_released) = holding_after(1);
    let silent = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let id = f.steps(2).await;
    silent.tick().await.unwrap();
    while f.task(id).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    f.silence();
    let other = f.runtime().await;
    assert_eq!(other.rescue().await.unwrap(), 1);
    f.settle(&other).await;
    let next = f.steps(1).await;
    assert_eq!(silent.tick().await.unwrap(), 0, "it may be about to leave");
    let given_up = async {
        while silent.tick().await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, given_up).await.expect("it keeps its slot");
    silent.idle().await;
    assert_eq!(f.status(next).await, WorkflowStatus::Completed);
}

async fn after_two_deaths_a_task_runs_alone(on: On) {
    let f = Fixture::new(on).await;
    let suspect = f.steps(1).await;
    let neighbour = f.steps(1).await;
    for _ in 0..2 {
        let (probe, _never_released) = holding_all();
        let dead = Runtime::unguarded(&f.other(probe)).await.unwrap();
        assert_eq!(dead.tick().await.unwrap(), 2);
        f.silence();
        assert_eq!(f.runtime().await.rescue().await.unwrap(), 2);
    }
    let newcomer = f.steps(1).await;
    let (probe, release) = holding_claimed();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 1, "one alone, whatever else is due");
    assert!(f.status(suspect).await.is_running());
    assert_eq!(runtime.tick().await.unwrap(), 0, "nothing beside it");
    release.send_replace(true);
    runtime.idle().await;
    assert_eq!(runtime.tick().await.unwrap(), 1, "its neighbour of then alone, too");
    runtime.idle().await;
    assert_eq!(f.status(newcomer).await, WorkflowStatus::Queued);
    f.settle(&runtime).await;
    for id in [suspect, neighbour, newcomer] {
        let done = f.task(id).await;
        assert_eq!(done.workflow_status, WorkflowStatus::Completed, "neighbours of a poison task never pay");
    }
}

async fn nothing_is_claimed_beside_a_suspect(on: On) {
    let f = Fixture::new(on).await;
    let suspect = f.steps(1).await;
    f.test.db.write("UPDATE queued_task SET crashes = 2", []).await.unwrap();
    let newcomer = f.steps(1).await;
    let (probe, release) = holding_claimed();
    let runtime = Runtime::unguarded(&f.other(probe)).await.unwrap();
    assert_eq!(runtime.tick().await.unwrap(), 1);
    assert!(f.status(suspect).await.is_running());
    assert_eq!(runtime.tick().await.unwrap(), 0);
    release.send_replace(true);
    runtime.idle().await;
    f.settle(&runtime).await;
    assert_eq!(f.status(newcomer).await, WorkflowStatus::Completed);
}
