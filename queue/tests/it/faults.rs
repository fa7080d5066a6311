//! The fault sweep: one scenario, once for each statement that fails in it, and twice for each COMMIT, which is refused or
//! done without an answer; and all of that again with a process that dies at that point. Afterwards everything is as if
//! nothing had happened.

use std::{sync::Arc, time::Duration};

use model::{TaskErrorCode, TaskId, WorkflowStatus};
use queue::{
    Database, DatabaseLimits, Failure, NewTask, Queue, Runtime, Settings,
    lock::Lock,
    schedule::{Schedule, Scheduler, When, Work},
    self_test,
    test_faults::{Commit, FaultPlan, Faults},
};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::{
    fixture::{Fixture, OWNER, settings, steps_task},
    invariants::broken,
};

// Thousands of scenarios each.
testkit::on_both!(
    within testkit::LONGEST * 5;
    every_statement_may_fail_once,
    every_commit_may_be_lost,
    a_process_may_die_at_every_statement,
    a_process_may_die_at_every_commit,
);

/// Asks for something until it works, as whoever got no answer does, if need be of the next process.
async fn insist<T, E: std::fmt::Debug>(faults: &Faults, mut ask: impl AsyncFnMut() -> Result<T, E>) -> T {
    for _ in 0..5 {
        if let Ok(done) = ask().await {
            return done;
        }
        faults.revive();
    }
    ask().await.unwrap()
}

/// A database, empty whenever a scenario begins, connections to it, and what goes wrong with those: who looks at what came of it
/// goes by others. All scenarios of a sweep have the same connections.
struct Disturbed {
    f: Fixture,
    db: Database,
    faults: Faults,
}

impl Disturbed {
    async fn on(on: On) -> Disturbed {
        let f = Fixture::with(on, Settings { max_failures: 9, ..settings() }).await;
        let (db, faults) = (f.connected(DatabaseLimits::default()).await, Faults::default());
        db.disturb(faults.clone());
        Disturbed { f, db, faults }
    }

    /// Plays the scenario; how many statements and commits there were.
    async fn play(&mut self, plan: FaultPlan) -> (u64, u64) {
        self.f.begin_anew().await;
        self.faults.begin(plan.clone());
        scenario(&self.f, &self.f.queue_by(&self.db), &self.faults, plan).await
    }
}

/// Two tasks, one of which fails once; a third that is given up; a fourth that is taken from a process that died; a fifth that
/// fails for good and is retried by an operator; and a schedule beside them. Returns how many statements and commits there
/// were.
async fn scenario(f: &Fixture, queue: &Queue, faults: &Faults, plan: FaultPlan) -> (u64, u64) {
    let ids = [1, 2, 3, 4, 5].map(|n| TaskId::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0000 + n));
    f.mood.fail(2, 1, Failure::transient(TaskErrorCode::SelfTest, "not now"));
    for id in &ids[..4] {
        insist(faults, async || add(queue, NewTask { id: Some(*id), ..steps_task(3) }).await).await;
    }
    let failing = || {
        let spec = serde_json::json!({ "outcome": "permanent", "failTimes": 1 });
        NewTask { id: Some(ids[4]), ..NewTask::new(self_test::KIND, spec, OWNER) }
    };
    insist(faults, async || add(queue, failing()).await).await;
    insist(faults, async || {
        let txn = queue.db().begin_write().await?;
        match queue.abandon(&txn, ids[2], OWNER, None).await {
            Ok(_) => Ok(queue.db().commit(txn).await?),
            Err(queue::Error::Conflict(WorkflowStatus::Abandoned)) => Ok(()),
            Err(error) => Err(error),
        }
    })
    .await;
    let start = async || insist(faults, async || Runtime::unguarded(queue).await).await;
    let mut process = start().await;
    let _ = process.tick().await;
    // The first process dies: wherever it is by now, or where the plan says.
    let mut dies = !plan.dies;
    let done = async |id: TaskId| f.task(id).await.workflow_status == WorkflowStatus::Completed;
    for _ in 0..30 {
        if dies {
            process.kill();
        }
        rests(&process, faults).await;
        if dies || faults.died() {
            process.kill();
            process.idle().await;
            faults.revive();
            f.silence();
            process = start().await;
        }
        dies = false;
        process.beat().await;
        let _ = process.rescue().await;
        let _ = process.tick().await;
        rests(&process, faults).await;
        let scheduler = hourly(queue, &process);
        let _ = scheduler.announce().await;
        let _ = scheduler.tick().await;
        if faults.died() {
            continue;
        }
        retry_what_failed(f, queue, ids[4]).await;
        if done(ids[0]).await && done(ids[1]).await && done(ids[3]).await && done(ids[4]).await {
            break;
        }
        f.test.clock.advance(settings().backoff_max);
    }
    let seen = faults.end();
    for (n, id) in ids.into_iter().enumerate() {
        let wanted = if n == 2 { WorkflowStatus::Abandoned } else { WorkflowStatus::Completed };
        let task = f.task(id).await;
        assert_eq!(task.workflow_status, wanted, "task {n}: {task:?}, after {faults:?}");
        assert_eq!(f.effects(id).await.len(), if [2, 4].contains(&n) { 0 } else { 3 }, "task {n} after {faults:?}");
    }
    // A process goes on until it has announced what it fires.
    let scheduler = hourly(queue, &process);
    scheduler.announce().await.unwrap();
    f.test.clock.advance(HOUR);
    scheduler.tick().await.unwrap();
    let fires = "SELECT COUNT(*) AS fires, COUNT(outcome) AS done FROM schedule_fire";
    let fires = f.test.db.reader().query_one_raw(f.test.db.statement(fires, [])).await.unwrap().unwrap();
    let (fires, done): (i64, i64) = (fires.try_get("", "fires").unwrap(), fires.try_get("", "done").unwrap());
    assert!(fires > 0 && done == fires, "{done} of {fires} fires have ended after {faults:?}");
    assert_eq!(broken(f).await, Vec::<String>::new(), "{faults:?}");
    seen
}

/// Until the process has nothing to do, or has died: what it was at then goes on asking.
async fn rests(process: &Runtime, faults: &Faults) {
    tokio::select! {
        () = process.idle() => {}
        () = faults.death() => {}
    }
}

/// What an operator does on seeing a failed task. An answer that is lost makes it look again.
async fn retry_what_failed(f: &Fixture, queue: &Queue, id: TaskId) {
    if f.status(id).await == WorkflowStatus::Failure
        && let Ok(txn) = queue.db().begin_write().await
        && queue.retry(&txn, id, OWNER).await.is_ok()
    {
        let _ = queue.db().commit(txn).await;
    }
}

struct Nothing;

#[async_trait::async_trait]
impl Work for Nothing {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        Ok(String::new())
    }
}

const HOUR: Duration = Duration::from_secs(3_600);

fn hourly(queue: &Queue, process: &Runtime) -> Scheduler {
    let (zone, default) = (chrono_tz::UTC, When::Every(HOUR));
    let schedule = Schedule { name: "hourly", default, configured: None, zone, work: Arc::new(Nothing) };
    Scheduler::new(process, queue.locks(process.process()), vec![schedule])
}

async fn add(queue: &Queue, new: NewTask) -> Result<(), queue::Error> {
    let txn = queue.db().begin_write().await?;
    queue.enqueue(&txn, new).await?;
    Ok(queue.db().commit(txn).await?)
}

async fn every_statement_may_fail_once(on: On) {
    sweep_statements(on, false).await;
}

async fn every_commit_may_be_lost(on: On) {
    sweep_commits(on, false).await;
}

async fn a_process_may_die_at_every_statement(on: On) {
    sweep_statements(on, true).await;
}

async fn a_process_may_die_at_every_commit(on: On) {
    sweep_commits(on, true).await;
}

async fn sweep_statements(on: On, dies: bool) {
    let mut disturbed = Disturbed::on(on).await;
    let (statements, _) = disturbed.play(FaultPlan::default()).await;
    assert!(statements > 50, "{statements} statements");
    for statement in 1..=statements {
        disturbed.play(FaultPlan { statement, dies, ..FaultPlan::default() }).await;
    }
    say(&format!("{statements} statements swept on {on:?}, dying: {dies}"));
}

async fn sweep_commits(on: On, dies: bool) {
    let mut disturbed = Disturbed::on(on).await;
    let (_, commits) = disturbed.play(FaultPlan::default()).await;
    assert!(commits > 10, "{commits} commits");
    for commit in 1..=commits {
        for how in [Commit::Refused, Commit::Unanswered] {
            disturbed.play(FaultPlan { commit, how: Some(how), dies, ..FaultPlan::default() }).await;
        }
    }
    say(&format!("{commits} commits swept twice on {on:?}, dying: {dies}"));
}

#[expect(clippy::print_stderr, reason = "the number is worth knowing")]
fn say(what: &str) {
    eprintln!("{what}");
}
