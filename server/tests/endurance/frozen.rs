//! A worker that is frozen beyond its lease and woken again, two hundred times: half of them between two chunks, half of them
//! inside a transaction.

use std::time::{Duration, Instant};

use rand::RngExt;
use testkit::On;

use crate::binary::{Place, Process};

const ROUNDS: u32 = 100;
const TASKS: u32 = 8;
const CHUNKS: u32 = 12;
const SETTINGS: &[(&str, &str)] = &[
    ("DOCKET__QUEUE__SELF_TEST", "true"),
    ("DOCKET__QUEUE__LEASE", "1s"),
    ("DOCKET__QUEUE__HEARTBEAT", "200ms"),
    ("DOCKET__QUEUE__SLOTS", "4"),
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn a_worker_frozen_between_chunks_changes_nothing_when_it_wakes() {
    frozen("between two chunks", 40, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn a_worker_frozen_inside_a_transaction_changes_nothing_when_it_wakes() {
    frozen("inside a transaction", 0, 40).await;
}

async fn frozen(place_of_freezing: &str, sleep: u32, hold: u32) {
    let place = Place::on(On::Postgres).await;
    let web = place.start("web", "web", SETTINGS);
    let one = place.start("one", "worker", SETTINGS);
    let two = place.start("two", "worker", SETTINGS);
    let (mut taken, mut holding, mut inside) = (0, 0, 0);
    let began = Instant::now();
    for round in 0..ROUNDS {
        let body = serde_json::json!({ "count": TASKS, "chunks": CHUNKS, "sleepMs": sleep, "holdMs": hold });
        web.post("/api/1/admin/self-test", &body);
        for name in ["one", "two"] {
            until(&place, &format!("SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process LIKE '{name}-%' AND workflow_status = 'EXECUTING'"), |n| n > 0).await;
        }
        let zombie: &Process = if round % 2 == 0 { &one } else { &two };
        let pause = rand::rng().random_range(0..60);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        zombie.signal("-STOP");
        let name = if round % 2 == 0 { "one" } else { "two" };
        // One that stands still for longer than the other worker holds any is the frozen one's.
        tokio::time::sleep(Duration::from_millis(300)).await;
        inside += place
            .value(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
                 AND state_change < clock_timestamp() - interval '250 milliseconds'",
            )
            .await
            .min(1);
        let held =
            place.value(&format!("SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process LIKE '{name}-%'")).await;
        taken += held;
        holding += held.min(1);
        until(&place, "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'", |n| n == 0).await;
        let attempts = "SELECT COALESCE(SUM(attempt), 0) + COALESCE(SUM(succeeded), 0) + (SELECT COUNT(*) FROM task_attempt) FROM queued_task";
        let attempts = format!("SELECT CAST(({attempts}) AS bigint)");
        let before = place.value(&attempts).await;
        zombie.signal("-CONT");
        // It is itself again once it beats.
        until(&place, &format!("SELECT COUNT(*) FROM process WHERE id LIKE '{name}-%' AND heartbeat_date > clock_timestamp() - interval '300 milliseconds'"), |n| n > 0).await;
        assert_eq!(place.value(&attempts).await, before, "round {round}");
        let wrong = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED' OR succeeded <> total OR failures > 0";
        assert_eq!(place.value(wrong).await, 0, "round {round}");
    }
    eprintln!(
        "frozen {place_of_freezing}: {ROUNDS} rounds in {:.0?}, {taken} tasks were with the frozen worker, in {inside} rounds a transaction was open; no effect of it",
        began.elapsed()
    );
    let often = i64::from(ROUNDS) * 3 / 4;
    assert!(holding >= often, "the frozen worker had a task in {holding} rounds only");
    assert!(hold == 0 || inside >= often, "a transaction was open in {inside} rounds only");
}

async fn until(place: &Place, sql: &str, enough: impl Fn(i64) -> bool) {
    let began = Instant::now();
    while !enough(place.value(sql).await) {
        assert!(began.elapsed() < Duration::from_secs(60), "{sql}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
