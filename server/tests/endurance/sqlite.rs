//! SQLite killed under writes.

use std::time::{Duration, Instant};

use rand::RngExt;
use testkit::On;

use crate::{
    binary::Place,
    college::{SMALL, assert_each_treated_once, change, generate},
};

const KILLS: u32 = 50;
const SETTINGS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), SMALL];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn sqlite_is_killed_fifty_times_under_writes() {
    let place = Place::on(On::Sqlite).await;
    generate(&place);
    let mut server = place.start("kill", "all", SETTINGS);
    change(&server);
    let mut acknowledged = Vec::new();
    for _ in 0..KILLS {
        acknowledged.extend(server.self_tests(5, 3, 5));
        let pause = rand::rng().random_range(0..300);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        server.signal("-KILL");
        server.end();
        server = place.start("kill", "all", SETTINGS);
    }
    let left = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    let began = Instant::now();
    while place.value(left).await > 0 {
        assert!(began.elapsed() < Duration::from_secs(300), "{} are left", place.value(left).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let ok = place.value("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'").await;
    let there = place
        .value("SELECT COUNT(*) FROM queued_task WHERE execution_component_name = 'self-test' AND succeeded = 3")
        .await;
    let attempts = place.value("SELECT SUM(attempt) FROM queued_task").await;
    eprintln!(
        "{KILLS} kills: integrity ok {ok}; {there} of {} acknowledged self-tests done; {attempts} attempts",
        acknowledged.len()
    );
    assert_eq!((ok, there), (1, i64::try_from(acknowledged.len()).unwrap()));
    assert_each_treated_once(&place).await;
}
