//! Tasks that do the worst, in the real binary, which somebody starts again whenever it dies: each of them ends in the state that
//! says so, and their neighbours pay nothing.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::On;

use crate::binary::{PATIENCE, Place, Process};

testkit::on_both!(the_worst_tasks_end_visibly_and_their_neighbours_finish);

const SETTINGS: &[(&str, &str)] = &[
    ("DOCKET__QUEUE__SELF_TEST", "true"),
    ("DOCKET__QUEUE__SLOTS", "4"),
    ("DOCKET__QUEUE__DEADLINE", "10s"),
    ("DOCKET__QUEUE__MAX_FAILURES", "2"),
    ("DOCKET__QUEUE__BACKOFF", "100ms"),
    ("DOCKET__QUEUE__LEASE", "20s"),
    ("DOCKET__QUEUE__HEARTBEAT", "500ms"),
];
/// Room for everything but a hog.
const MEMORY: u64 = 3 << 29;
const NEIGHBOURS: u32 = 6;

fn start(place: &Place) -> Process {
    place.spawn_within(MEMORY, "worst", "all", SETTINGS)
}

/// Submits one self-test for later, and makes it due with `change`.
async fn changed(place: &Place, server: &Process, change: &str) -> String {
    let id = submit(server, &json!({ "triggerDate": "2100-01-01T00:00:00Z" }));
    let which = "WHERE trigger_date > '2099-01-01'";
    place.write(&format!("UPDATE queued_task SET {change}, trigger_date = created_date {which}")).await;
    id
}

fn submit(server: &Process, request: &Value) -> String {
    server.post("/api/1/admin/self-test", request)[0]["id"].as_str().unwrap().to_owned()
}

async fn the_worst_tasks_end_visibly_and_their_neighbours_finish(on: On) {
    let place = Place::on(on).await;
    let mut server = start(&place);
    crate::binary::until_ready(&server);
    let neighbours = server.self_tests(NEIGHBOURS, 20, 50);
    let unknown = changed(&place, &server, "execution_component_name = 'nobody-knows'").await;
    let broken = changed(&place, &server, "execution_spec = '{\"chunks\":\"many\"}'").await;
    let hung = submit(&server, &json!({ "outcome": "hang" }));
    let panicking = submit(&server, &json!({ "outcome": "panic" }));
    let hog = submit(&server, &json!({ "outcome": "exhaust" }));

    let began = Instant::now();
    let mut deaths = 0;
    let over = "SELECT COUNT(*) FROM queued_task WHERE workflow_status IN ('COMPLETED', 'FAILURE', 'ERROR')";
    while place.value(over).await < i64::from(NEIGHBOURS) + 4 {
        assert!(began.elapsed() < PATIENCE, "it does not end");
        if server.has_ended() {
            deaths += 1;
            server = start(&place);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(deaths, 3, "the hog gets three tries, the last of them alone");
    crate::binary::until_ready(&server);
    for id in &neighbours {
        let task = server.get(&format!("/api/1/tasks/{id}"));
        assert_eq!((task["status"].as_str(), task["failures"].as_u64()), (Some("COMPLETED"), Some(0)), "{task}");
    }
    for (id, status, why) in [
        (&hung, "FAILURE", "deadline: "),
        (&panicking, "FAILURE", "panic: "),
        (&hog, "FAILURE", "poison: "),
        (&broken, "ERROR", "bad_spec: "),
    ] {
        let found = format!(
            "SELECT COUNT(*) FROM queued_task WHERE id = {} AND workflow_status = '{status}'
               AND workflow_status_desc LIKE '{why}%' AND scheduled_by_process IS NULL",
            literal(on, id)
        );
        assert_eq!(place.value(&found).await, 1, "{status} by {why}");
    }
    let waits = format!(
        "SELECT COUNT(*) FROM queued_task WHERE id = {} AND workflow_status = 'QUEUED' AND attempt = 0",
        literal(on, &unknown)
    );
    assert_eq!(place.value(&waits).await, 1, "a kind that nobody knows is left for whoever does");
}

/// An id as the database writes it.
fn literal(on: On, id: &str) -> String {
    match on {
        On::Postgres => format!("'{id}'"),
        On::Sqlite => format!("x'{}'", id.replace('-', "")),
    }
}
