//! Seeded histories of several processes on one SQLite: tasks come, are claimed, given up and retried, processes die and
//! others take over, clocks jump. After each history nothing runs, and every invariant holds. A seed that fails is in the
//! message; `SEED=… cargo test -p queue simulation` runs it alone.

use std::time::Duration;

use model::{TroubleCode, WorkflowStatus};
use queue::{Failure, NewTask, Runtime, Settings};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sea_orm::ConnectionTrait;
use testkit::On;
use uuid::Uuid;

use crate::{
    fixture::{Fixture, settings, steps_task},
    invariants::broken,
};

/// Databases that share the histories among them.
const SHARDS: u64 = 4;
const HISTORIES: u64 = 2_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_histories_break_nothing() {
    if let Some(seed) = number("SEED") {
        return histories([seed]).await;
    }
    let count = number("HISTORIES").unwrap_or(HISTORIES);
    let shard = |shard: u64| histories((shard..count).step_by(SHARDS as usize));
    tokio::join!(shard(0), shard(1), shard(2), shard(3));
}

#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which histories to run")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

async fn histories(seeds: impl IntoIterator<Item = u64>) {
    let settings = Settings { slots: 3, per_owner: 2, max_failures: 3, ..settings() };
    let f = Fixture::with(On::Sqlite, settings).await;
    for seed in seeds {
        history(&f, &mut StdRng::seed_from_u64(seed)).await;
        assert_eq!(broken(&f).await, Vec::<String>::new(), "SEED={seed}");
        f.clear().await;
    }
}

async fn history(f: &Fixture, rng: &mut StdRng) {
    let mut processes = Vec::new();
    let mut ids: Vec<Uuid> = Vec::new();
    for _ in 0..rng.random_range(1..4) {
        processes.push(Runtime::unguarded(&f.queue).await.unwrap());
    }
    for _ in 0..rng.random_range(5..25) {
        let process = &processes[rng.random_range(0..processes.len())];
        match rng.random_range(0..12) {
            0..=3 => {
                let owner_id = Uuid::from_u128(rng.random_range(1..4));
                let priority = rng.random_range(0..2);
                ids.push(f.add(NewTask { owner_id, priority, ..steps_task(rng.random_range(1..5)) }).await);
            }
            4..=6 => drop(process.tick().await.unwrap()),
            7 => drop(process.rescue().await.unwrap()),
            8 => f.test.clock.advance(Duration::from_secs(rng.random_range(0..900))),
            9 => {
                process.kill();
                let place = rng.random_range(0..processes.len());
                processes[place] = Runtime::unguarded(&f.queue).await.unwrap();
            }
            10 => f.mood.fail(
                rng.random_range(1..4),
                rng.random_range(1..3),
                Failure::transient(TroubleCode::SelfTest, "not now"),
            ),
            _ if !ids.is_empty() => {
                let id = ids[rng.random_range(0..ids.len())];
                operate(f, rng, id).await;
            }
            _ => tokio::task::yield_now().await,
        }
    }
    end(f, processes).await;
}

/// What an operator does to a task, if its state allows it.
async fn operate(f: &Fixture, rng: &mut StdRng, id: Uuid) {
    let db = &f.test.db;
    let txn = db.begin_write().await.unwrap();
    let by = crate::fixture::OWNER;
    let done = match rng.random_range(0..2) {
        0 => f.queue.retry(&txn, id, by).await,
        _ => f.queue.abandon(&txn, id, by, None).await,
    };
    match done {
        Ok(_) => db.commit(txn).await.unwrap(),
        Err(_) => txn.rollback().await.unwrap(),
    }
}

/// Every process dies, and one more does what is left.
async fn end(f: &Fixture, processes: Vec<Runtime>) {
    for process in &processes {
        process.kill();
    }
    for process in &processes {
        process.idle().await;
    }
    f.mood.fail(0, 0, Failure::transient(TroubleCode::SelfTest, ""));
    f.silence();
    let last = Runtime::unguarded(&f.queue).await.unwrap();
    for _ in 0..50 {
        last.rescue().await.unwrap();
        f.settle(&last).await;
        let left =
            "SELECT COUNT(*) AS n FROM queued_task WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')";
        let row = f.test.db.reader().query_one_raw(f.test.db.statement(left, [])).await.unwrap().unwrap();
        if row.try_get::<i64>("", "n").unwrap() == 0 {
            return;
        }
        f.test.clock.advance(settings().backoff_max);
    }
    panic!("something is left {:?}", WorkflowStatus::Queued);
}
