//! The fault sweep: one scenario, once for each statement that fails in it, and twice for each COMMIT, which is refused or
//! done without an answer. Afterwards everything is as if nothing had happened.

use model::WorkflowStatus;
use queue::{
    Failure, NewTask, Runtime, Settings,
    fault::{Commit, Faults, Plan},
};
use testkit::On;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, settings, steps_task},
    invariants::broken,
};

testkit::on_both!(every_statement_may_fail_once, every_commit_may_be_lost);

/// Asks for something until it works, as whoever got no answer does.
async fn insist<T, E: std::fmt::Debug>(mut ask: impl AsyncFnMut() -> Result<T, E>) -> T {
    for _ in 0..5 {
        if let Ok(done) = ask().await {
            return done;
        }
    }
    ask().await.unwrap()
}

/// Two tasks, one of which fails once; a third that is given up; a fourth that is taken from a process that died.
/// Returns how many statements and commits there were.
async fn scenario(on: On, plan: Plan) -> (u64, u64) {
    let f = Fixture::with(on, Settings { max_failures: 9, ..settings() }).await;
    let faults = Faults::new(plan);
    f.test.db.disturb(faults.clone());
    let ids = [1, 2, 3, 4].map(|n| Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0000 + n));
    f.mood.fail(2, 1, Failure::transient("test", "not now"));
    for id in ids {
        insist(async || add(&f, NewTask { id: Some(id), ..steps_task(3) }).await).await;
    }
    insist(async || {
        let txn = f.test.db.begin_write().await?;
        match f.queue.abandon(&txn, ids[2], crate::fixture::OWNER, None).await {
            Ok(_) => Ok(f.test.db.commit(txn).await?),
            Err(queue::Error::Conflict(WorkflowStatus::Abandoned)) => Ok(()),
            Err(error) => Err(error),
        }
    })
    .await;
    let first = insist(async || Runtime::unguarded(&f.queue).await).await;
    let _ = first.tick().await;
    // It dies wherever it is by now.
    first.kill();
    first.idle().await;
    f.silence();
    let second = insist(async || Runtime::unguarded(&f.queue).await).await;
    let done = async |id: Uuid| f.status(id).await == WorkflowStatus::Completed;
    for _ in 0..20 {
        let _ = second.rescue().await;
        let _ = second.tick().await;
        second.idle().await;
        if done(ids[0]).await && done(ids[1]).await && done(ids[3]).await {
            break;
        }
        f.test.clock.advance(settings().backoff_max);
    }
    let seen = faults.end();
    for (n, id) in ids.into_iter().enumerate() {
        let wanted = if n == 2 { WorkflowStatus::Abandoned } else { WorkflowStatus::Completed };
        assert_eq!(f.status(id).await, wanted, "task {n} after {:?}", faults);
        assert_eq!(f.effects(id).await.len(), if n == 2 { 0 } else { 3 }, "task {n} after {:?}", faults);
    }
    assert_eq!(broken(&f).await, Vec::<String>::new(), "{faults:?}");
    seen
}

async fn add(f: &Fixture, new: NewTask) -> Result<(), queue::Error> {
    let txn = f.test.db.begin_write().await?;
    f.queue.enqueue(&txn, new).await?;
    Ok(f.test.db.commit(txn).await?)
}

async fn every_statement_may_fail_once(on: On) {
    let (statements, _) = scenario(on, Plan::default()).await;
    assert!(statements > 50, "{statements} statements");
    for statement in 1..=statements {
        scenario(on, Plan { statement, ..Plan::default() }).await;
    }
}

async fn every_commit_may_be_lost(on: On) {
    let (_, commits) = scenario(on, Plan::default()).await;
    assert!(commits > 10, "{commits} commits");
    for commit in 1..=commits {
        for how in [Commit::Refused, Commit::Unanswered] {
            scenario(on, Plan { commit, how: Some(how), ..Plan::default() }).await;
        }
    }
}
