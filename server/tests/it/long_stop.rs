//! A worker that is told to stop while a chunk goes on for longer than its lease: as long as it says that it lives its task is its own,
//! and at its end the task goes on elsewhere.

use serde_json::json;
use testkit::On;

use crate::{
    binary::{Place, Process, until, wait},
    everybody::{SMALL, assert_each_treated_once, change, generate, task},
    standstill::{Ends, hold, let_go, until_midway},
};

testkit::tests!(
    a_task_stays_with_a_worker_that_stops_for_longer_than_a_lease,
    a_stop_ends_within_its_limit_and_what_hung_goes_on_elsewhere,
);

const PEOPLE: u64 = 2_000;
/// In seconds. Others look for what the dead have left many times within it.
const LEASE: i64 = 6;
const BRIEF: &[(&str, &str)] = &[
    ("DOCKET__QUEUE__LEASE", "6s"),
    ("DOCKET__QUEUE__HEARTBEAT", "200ms"),
    ("DOCKET__QUEUE__SELF_TEST", "true"),
    ("DOCKET__QUEUE__DRAIN", "1h"),
];

fn start(place: &Place, name: &str, role: &str, more: &[(&'static str, &'static str)]) -> Process {
    let settings: Vec<_> = SMALL.iter().chain(BRIEF).chain(more).copied().collect();
    place.start(name, role, &settings)
}

async fn a_task_stays_with_a_worker_that_stops_for_longer_than_a_lease() {
    let place = Place::on(On::Postgres).await;
    generate(&place, PEOPLE);
    hold(&place, On::Postgres, Ends::LetGo).await;
    let web = start(&place, "web", "web", &[]);
    let mut one = start(&place, "one", "worker", &[]);
    let id = change(&web, PEOPLE);
    until_midway(&place).await;
    let two = start(&place, "two", "worker", &[]);
    one.signal("-TERM");
    let stopping = "SELECT COUNT(*) FROM process WHERE id LIKE 'one-%' AND stopping";
    until("it to say that it stops", async || place.value(stopping).await == 1).await;
    let now = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS bigint)";
    let since = place.value(now).await;
    until("two leases to pass", async || place.value(now).await > since + 2 * LEASE).await;
    let held = "SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process LIKE 'one-%' AND attempt = 1";
    assert_eq!((place.value(held).await, one.has_ended()), (1, false), "it stops for as long as its chunk goes on");
    let_go(&place).await;
    assert_eq!(one.end().code(), Some(0));
    assert!(!one.log().contains("the grace time is over"), "the chunk was waited for");
    wait("the change to complete", || (task(&web, &id)["status"] == "COMPLETED").then_some(()));
    assert!(!two.log().contains("took the task back"), "nobody takes what a living worker holds");
    let put_back = "SELECT COUNT(*) FROM task_attempt WHERE attempt = 1 AND outcome = 'PUT_BACK'";
    assert_eq!(place.value(put_back).await, 1);
    let done = task(&web, &id);
    assert_eq!((done["attempt"].as_u64(), done["failures"].as_u64()), (Some(2), Some(0)));
    assert_each_treated_once(&place, PEOPLE).await;
}

async fn a_stop_ends_within_its_limit_and_what_hung_goes_on_elsewhere() {
    let place = Place::on(On::Postgres).await;
    let web = start(&place, "web", "web", &[]);
    let mut one = start(&place, "one", "worker", &[("DOCKET__QUEUE__DRAIN", "3s")]);
    let hangs = json!({ "chunks": 2, "outcome": "hang", "failTimes": 1 });
    let id = web.post("/api/1/admin/self-test", &hangs)[0]["id"].as_str().unwrap().to_owned();
    let hanging = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
        AND state = 'idle in transaction' AND state_change < clock_timestamp() - INTERVAL '500 ms'";
    until("it to hang", async || place.value(hanging).await == 1).await;
    let _two = start(&place, "two", "worker", &[]);
    one.signal("-TERM");
    assert_eq!(one.end().code(), Some(0));
    assert!(one.log().contains("the grace time is over"));
    wait("the task to complete", || (task(&web, &id)["status"] == "COMPLETED").then_some(()));
    let done = task(&web, &id);
    assert_eq!((done["succeeded"].as_u64(), done["failures"].as_u64()), (Some(2), Some(0)));
}
