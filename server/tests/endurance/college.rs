//! A change of twenty thousand people that goes on while things break, and the question whether each was treated once.

use serde_json::json;

use crate::binary::{Place, Process};

pub const PEOPLE: i64 = 20_000;
/// Small chunks, so that the change takes a while.
pub const SMALL: (&str, &str) = ("DOCKET__ACTIONS__CHUNK", "1ms");

pub fn generate(place: &Place) {
    place.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
}

pub fn change(web: &Process) -> String {
    let body = json!({ "target": { "everyone": true }, "programStatus": "TRANSITIONED", "confirmTotal": PEOPLE });
    web.post("/api/1/people/program-status", &body)["id"].as_str().unwrap().to_owned()
}

pub async fn assert_each_treated_once(place: &Place) {
    assert_eq!(place.value("SELECT COUNT(*) FROM task_person WHERE outcome IS NOT NULL").await, PEOPLE);
    let done = place.value("SELECT COUNT(*) FROM task_person WHERE outcome = 'DONE'").await;
    let written = place.value("SELECT COUNT(*) FROM program_status_history WHERE task_id IS NOT NULL").await;
    assert_eq!(written, done, "one line of history for each person who was changed");
    let open = "SELECT COUNT(*) FROM (SELECT person_id FROM program_status_history WHERE expiration_date IS NULL
        GROUP BY person_id HAVING COUNT(*) = 1) AS single";
    assert_eq!(place.value(open).await, PEOPLE);
}
