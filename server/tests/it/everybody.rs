//! A change of everybody there is that goes on while things break, and the question whether each of them was treated once.

use serde_json::{Value, json};

use crate::binary::{Place, Process};

/// Small chunks, so that there is a middle to be hit; and a poll so far away that nothing is found by it.
pub const SMALL: &[(&str, &str)] =
    &[("DOCKET__ACTIONS__CHUNK", "1ms"), ("DOCKET__QUEUE__POLL_INTERVAL", "3600s"), ("DOCKET__QUEUE__BACKOFF", "1s")];

pub fn generate(place: &Place, people: u64) {
    place.command(&["people", "generate", "--count", &people.to_string(), "--seed", "1"]);
}

/// Changes the status of all of them; gives the task.
pub fn change(server: &Process, people: u64) -> String {
    let body = json!({ "target": { "everyone": true }, "programStatus": "TRANSITIONED", "confirmTotal": people });
    server.post("/api/1/people/program-status", &body)["id"].as_str().unwrap().to_owned()
}

pub fn task(server: &Process, id: &str) -> Value {
    server.get(&format!("/api/1/tasks/{id}"))
}

/// How many have been treated, whatever became of them.
pub fn treated(task: &Value) -> u64 {
    ["succeeded", "skipped", "failed", "uncertain"].iter().map(|name| task[name].as_u64().unwrap()).sum()
}

/// Each has one line in the ledger and, if changed, one line of history; none of them is said to have failed.
pub async fn assert_each_treated_once(place: &Place, people: u64) {
    let people = people.cast_signed();
    assert_eq!(place.value("SELECT COUNT(*) FROM task_person WHERE outcome IS NOT NULL").await, people);
    assert_eq!(place.value("SELECT COUNT(DISTINCT person_id) FROM task_person").await, people);
    assert_eq!(place.value("SELECT COUNT(*) FROM task_person WHERE outcome NOT IN ('DONE', 'SKIPPED')").await, 0);
    let done = place.value("SELECT COUNT(*) FROM task_person WHERE outcome = 'DONE'").await;
    let written = place.value("SELECT COUNT(*) FROM program_status_history WHERE task_id IS NOT NULL").await;
    assert_eq!(written, done, "one line of history for each person who was changed");
    let open = "SELECT COUNT(*) FROM (SELECT person_id FROM program_status_history WHERE expiration_date IS NULL
        GROUP BY person_id HAVING COUNT(*) = 1) AS single";
    assert_eq!(place.value(open).await, people);
}
