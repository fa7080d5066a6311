//! How long the tasks of a killed worker wait for another, with the settings of every installation.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use testkit::On;

use crate::binary::Place;

const ROUNDS: usize = 20;
const TASKS: u32 = 16;
/// In milliseconds, from the death to the last task that goes on elsewhere.
const PROMISED: i64 = 3_000;
/// One worker can hold them all; everything else is as usual.
const SETTINGS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), ("DOCKET__QUEUE__SLOTS", "16")];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn the_tasks_of_a_killed_worker_start_again_soon() {
    let mut waits = Vec::new();
    for round in 1..=ROUNDS {
        let place = Place::on(On::Postgres).await;
        let web = place.start("web", "web", SETTINGS);
        let mut one = place.start("one", "worker", SETTINGS);
        web.self_tests(TASKS, 100, 50);
        until(&place, "SELECT COUNT(*) FROM queued_task WHERE workflow_status = 'EXECUTING' AND succeeded > 0").await;
        let _two = place.start("two", "worker", SETTINGS);
        // Not always at the same point between two beats.
        tokio::time::sleep(Duration::from_millis(137 * round as u64 % 2_000)).await;
        let killed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        one.signal("-KILL");
        one.end();
        until(&place, "SELECT COUNT(*) FROM task_attempt WHERE attempt = 2").await;
        let last =
            "SELECT CAST(MAX(EXTRACT(EPOCH FROM started_date)) * 1000 AS bigint) FROM task_attempt WHERE attempt = 2";
        waits.push(place.value(last).await - i64::try_from(killed).unwrap());
        until(&place, "SELECT COUNT(*) FROM queued_task WHERE workflow_status = 'COMPLETED' AND succeeded = 100").await;
        let charged = "SELECT COUNT(*) FROM queued_task WHERE failures + crashes > 0";
        assert_eq!(place.value(charged).await, 0, "they had made progress");
    }
    waits.sort_unstable();
    eprintln!(
        "from the kill to the last of {TASKS} restarts, {ROUNDS} rounds, in ms: median {}, worst {}; {waits:?}",
        waits[ROUNDS / 2],
        waits[ROUNDS - 1]
    );
    assert!(waits[ROUNDS - 1] <= PROMISED, "{waits:?}");
}

async fn until(place: &Place, sql: &str) {
    let began = std::time::Instant::now();
    while place.value(sql).await < i64::from(TASKS) {
        assert!(began.elapsed() < Duration::from_secs(60), "{sql}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
