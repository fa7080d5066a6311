//! A worker that is told to stop while a chunk goes on for longer than its lease: as long as it says that it lives its task is its own,
//! and at its end the task goes on elsewhere.

use std::time::Duration;

use serde_json::json;
use testkit::On;

use crate::{
    binary::{Place, Process, until, wait},
    everybody::{SMALL, assert_each_treated_once, change, generate, task},
};

testkit::tests!(
    a_task_stays_with_a_worker_that_stops_for_longer_than_a_lease,
    a_stop_ends_within_its_limit_and_what_hung_goes_on_elsewhere,
);

const PEOPLE: u64 = 2_000;
/// Many beats, and two leases.
const LONG: Duration = Duration::from_secs(11);
const BRIEF: &[(&str, &str)] = &[
    ("DOCKET__QUEUE__LEASE", "5s"),
    ("DOCKET__QUEUE__HEARTBEAT", "200ms"),
    ("DOCKET__QUEUE__SELF_TEST", "true"),
    ("DOCKET__QUEUE__DRAIN", "60s"),
];

fn start(place: &Place, name: &str, role: &str, more: &[(&'static str, &'static str)]) -> Process {
    let settings: Vec<_> = SMALL.iter().chain(BRIEF).chain(more).copied().collect();
    place.start(name, role, &settings)
}

/// The change of one person takes long.
async fn let_somebody_take_long(place: &Place) {
    let seconds = LONG.as_secs();
    place
        .write(&format!(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN PERFORM pg_sleep({seconds}); RETURN NEW; END $$"
        ))
        .await;
    place
        .write(
            "DO $$ BEGIN EXECUTE format('CREATE TRIGGER slow BEFORE UPDATE OF program_status ON person FOR EACH ROW
                WHEN (OLD.id = %L) EXECUTE FUNCTION slow()', (SELECT id FROM person WHERE student ORDER BY id LIMIT 1)); END $$",
        )
        .await;
}

async fn a_task_stays_with_a_worker_that_stops_for_longer_than_a_lease() {
    let place = Place::on(On::Postgres).await;
    generate(&place, PEOPLE);
    let_somebody_take_long(&place).await;
    let web = start(&place, "web", "web", &[]);
    let mut one = start(&place, "one", "worker", &[]);
    let id = change(&web, PEOPLE);
    let sleeping =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    until("the long chunk", async || place.value(sleeping).await == 1).await;
    let two = start(&place, "two", "worker", &[]);
    one.signal("-TERM");
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
