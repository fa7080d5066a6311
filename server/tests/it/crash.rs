//! The real binary, killed and told to stop in the middle of a change of 20,000 people: it goes on where it was, and in the end
//! everybody was treated once.

use serde_json::{Value, json};
use testkit::On;

use crate::binary::{Place, Process, wait};

const PEOPLE: u64 = 20_000;
/// Small chunks, so that there is a middle to be hit.
const SMALL: &[(&str, &str)] = &[("DOCKET__ACTIONS__CHUNK", "1ms")];

testkit::on_both!(
    a_killed_server_goes_on_from_the_bookmark,
    a_server_told_to_stop_puts_its_task_back,
    an_export_that_was_killed_midway_is_the_same_file,
);

async fn with_people(on: On) -> Place {
    let place = Place::on(on).await;
    place.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
    place
}

fn submit(server: &Process) -> String {
    let body = json!({ "target": { "everyone": true }, "programStatus": "TRANSITIONED", "confirmTotal": PEOPLE });
    server.post("/api/1/people/program-status", &body)["id"].as_str().unwrap().to_owned()
}

fn task(server: &Process, id: &str) -> Value {
    server.get(&format!("/api/1/tasks/{id}"))
}

/// Waits until some people are treated, but not all.
fn until_midway(server: &Process, id: &str) {
    let treated = wait("the middle of the task", || Some(treated(&task(server, id))).filter(|treated| *treated > 0));
    assert!(treated < PEOPLE, "it was over before it could be hit");
}

fn until_completed(server: &Process, id: &str) -> Value {
    wait("the task to complete", || Some(task(server, id)).filter(|task| task["status"] == "COMPLETED"))
}

fn treated(task: &Value) -> u64 {
    ["succeeded", "skipped", "failed", "uncertain"].iter().map(|name| task[name].as_u64().unwrap()).sum()
}

async fn assert_everybody_once(place: &Place) {
    let people = PEOPLE.cast_signed();
    assert_eq!(place.value("SELECT COUNT(*) FROM task_person WHERE outcome IS NOT NULL").await, people);
    assert_eq!(place.value("SELECT COUNT(DISTINCT person_id) FROM task_person").await, people);
    let done = place.value("SELECT COUNT(*) FROM task_person WHERE outcome = 'DONE'").await;
    let written = "SELECT COUNT(*) FROM program_status_history WHERE task_id IS NOT NULL";
    assert_eq!(place.value(written).await, done, "one history row for each person who was changed");
    let open = "SELECT COUNT(*) FROM (SELECT person_id FROM program_status_history WHERE expiration_date IS NULL
        GROUP BY person_id HAVING COUNT(*) = 1) AS single";
    assert_eq!(place.value(open).await, people);
}

async fn a_killed_server_goes_on_from_the_bookmark(on: On) {
    let place = with_people(on).await;
    let mut server = place.start("one", "all", SMALL);
    let id = submit(&server);
    until_midway(&server, &id);
    server.signal("-KILL");
    assert!(!server.end().success());
    let before = place.command(&["task", "show", &id, "--json"]);
    let before = treated(&serde_json::from_str(&before).unwrap());
    assert!(before > 0 && before < PEOPLE);

    let server = place.start("two", "all", SMALL);
    let done = until_completed(&server, &id);
    assert_eq!((treated(&done), done["attempt"].as_u64(), done["failures"].as_u64()), (PEOPLE, Some(2), Some(0)));
    assert_everybody_once(&place).await;
}

async fn a_server_told_to_stop_puts_its_task_back(on: On) {
    let place = with_people(on).await;
    // It ends because its chunk has, and not because a time is over.
    let mut server = place.start("one", "all", &[SMALL, &[("DOCKET__QUEUE__DRAIN", "1h")]].concat());
    let id = submit(&server);
    until_midway(&server, &id);
    server.signal("-TERM");
    assert_eq!(server.end().code(), Some(0));
    let back = place.command(&["task", "show", &id, "--json"]);
    let back: Value = serde_json::from_str(&back).unwrap();
    assert_eq!((back["status"].as_str(), back["failures"].as_u64()), (Some("QUEUED"), Some(0)));
    assert!(treated(&back) > 0 && treated(&back) < PEOPLE);

    let server = place.start("two", "all", SMALL);
    assert_eq!(treated(&until_completed(&server, &id)), PEOPLE);
    assert_everybody_once(&place).await;
}

async fn an_export_that_was_killed_midway_is_the_same_file(on: On) {
    let place = with_people(on).await;
    let export = |server: &Process| {
        let body = json!({ "target": { "everyone": true }, "format": "CSV" });
        server.post("/api/1/people/export", &body)["id"].as_str().unwrap().to_owned()
    };
    let mut server = place.start("one", "all", &[]);
    let undisturbed = export(&server);
    let undisturbed = until_completed(&server, &undisturbed);
    let id = export(&server);
    until_midway(&server, &id);
    server.signal("-KILL");
    assert!(!server.end().success());
    let server = place.start("two", "all", &[]);
    let done = until_completed(&server, &id);
    assert_eq!((treated(&done), done["attempt"].as_u64(), done["failures"].as_u64()), (PEOPLE, Some(2), Some(0)));
    assert_eq!(done["file"]["sha256"], undisturbed["file"]["sha256"]);
    assert_eq!(done["file"]["rows"], PEOPLE);
}
