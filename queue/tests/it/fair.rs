//! One writer for all on SQLite: whoever waits for it gets a turn between two chunks of bulk work, and a chunk that keeps it
//! for long is known by its name.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use model::WorkflowStatus;
use queue::{NewTask, Settings};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::On;

use crate::fixture::{Fixture, OWNER, PATIENCE, settings};

testkit::tests!(whoever_waits_to_write_gets_a_turn_between_two_chunks, a_chunk_that_keeps_everybody_waiting_is_named);
testkit::tests!(on one thread; a_chunk_that_takes_a_little_longer_than_its_aim_is_counted_though_not_named);

fn holding(milliseconds: u64, chunks: u64) -> NewTask {
    NewTask::new("self-test", json!({ "holdMs": milliseconds, "chunks": chunks }), OWNER)
}

/// Chunks that are done.
async fn done(f: &Fixture) -> i64 {
    let db = &f.test.db;
    let sql = "SELECT CAST(COALESCE(SUM(succeeded), 0) AS bigint) AS n FROM queued_task";
    db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap().try_get("", "n").unwrap()
}

async fn whoever_waits_to_write_gets_a_turn_between_two_chunks() {
    // So many that a write that waited for each of them would be known by it.
    const AT_ONCE: u32 = 10;
    let f = Fixture::with(On::Sqlite, Settings { slots: AT_ONCE, per_owner: AT_ONCE, ..settings() }).await;
    let runtime = f.runtime().await;
    for _ in 0..AT_ONCE {
        f.add(holding(60, 200)).await;
    }
    assert_eq!(runtime.tick().await.unwrap(), AT_ONCE as usize);
    while done(&f).await < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let f = (f.queue.clone(), f.test.db.clone());
        writers.spawn(async move {
            let passed = async || {
                let sql = "SELECT CAST(SUM(succeeded) AS bigint) AS n FROM queued_task";
                let row = f.1.reader().query_one_raw(f.1.statement(sql, [])).await.unwrap().unwrap();
                row.try_get::<i64>("", "n").unwrap()
            };
            let mut waited = Vec::new();
            for _ in 0..3 {
                let before = passed().await;
                f.1.write("UPDATE process SET busy = busy", []).await.unwrap();
                waited.push(passed().await - before);
            }
            waited
        });
    }
    let waited = writers.join_all().await.concat();
    // The one that was under way, and one more that may have come in before the write, or be over before the look after it; and
    // more of them only where a busy machine let somebody stand between a look and the write.
    let prompt = waited.iter().filter(|chunks| **chunks <= 3).count();
    assert!(prompt * 4 >= waited.len() * 3, "chunks that went before a write: {waited:?}");
    runtime.kill();
    runtime.idle().await;
}

async fn a_chunk_that_keeps_everybody_waiting_is_named() {
    let f = Fixture::new(On::Sqlite).await;
    let runtime = f.runtime().await;
    let short = f.add(holding(0, 3)).await;
    f.settle(&runtime).await;
    assert_eq!(f.status(short).await, WorkflowStatus::Completed);
    assert_eq!(f.queue.longest_hold(), None);
    let long = f.add(holding(1_100, 2)).await;
    assert_eq!(runtime.tick().await.unwrap(), 1);
    let meanwhile = async {
        loop {
            if let Some(hold) = f.queue.longest_hold() {
                return hold;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let hold = tokio::time::timeout(PATIENCE, meanwhile).await.expect("nobody said who it is");
    assert_eq!((hold.task, hold.kind.as_str()), (long, "self-test"));
    runtime.idle().await;
    let hold = f.queue.longest_hold().unwrap();
    assert_eq!(hold.task, long);
    assert!(hold.held >= Duration::from_millis(1_100), "{hold:?}");
}

/// Counts chunks that took longer than their aim, and nothing else.
#[derive(Default)]
struct OverAim(Arc<AtomicU64>);

impl Recorder for OverAim {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        match key.name() == "docket_chunks_over_aim_total" {
            true => Counter::from_arc(self.0.clone()),
            false => Counter::noop(),
        }
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

/// Its thread is the one whose recorder is exchanged.
async fn a_chunk_that_takes_a_little_longer_than_its_aim_is_counted_though_not_named() {
    let over_aim = OverAim::default();
    let _recorded = metrics::set_default_local_recorder(&over_aim);
    let f = Fixture::new(On::Sqlite).await;
    let runtime = f.runtime().await;
    // It aims at 25 ms, and would be named from 100 ms on.
    f.add(holding(40, 3)).await;
    f.settle(&runtime).await;
    assert_eq!(over_aim.0.load(Ordering::SeqCst), 3);
    assert_eq!(f.queue.longest_hold(), None, "nobody has noticed");
}
