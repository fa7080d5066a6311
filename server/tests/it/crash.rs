//! The real binary, killed and told to stop in the middle of a change of 20,000 people: it goes on where it was, and in the end
//! everybody was treated once.

use serde_json::{Value, json};
use testkit::On;

use crate::{
    binary::{Place, Process, wait},
    everybody::{SMALL, assert_each_treated_once, change, generate, task, treated},
    standstill::{Ends, hold, let_go, until_midway},
};

const PEOPLE: u64 = 20_000;

testkit::on_both!(
    a_killed_server_goes_on_from_the_bookmark,
    a_server_told_to_stop_puts_its_task_back,
    an_export_that_was_killed_midway_is_the_same_file,
);

async fn with_people(on: On) -> Place {
    let place = Place::on(on).await;
    generate(&place, PEOPLE);
    place
}

fn until_completed(server: &Process, id: &str) -> Value {
    wait("the task to complete", || Some(task(server, id)).filter(|task| task["status"] == "COMPLETED"))
}

async fn a_killed_server_goes_on_from_the_bookmark(on: On) {
    let place = with_people(on).await;
    hold(&place, on, Ends::Killed).await;
    let mut server = place.start("one", "all", SMALL);
    let id = change(&server, PEOPLE);
    until_midway(&place).await;
    server.signal("-KILL");
    assert!(!server.end().success());
    let_go(&place).await;
    let before = place.command(&["task", "show", &id, "--json"]);
    let before = treated(&serde_json::from_str(&before).unwrap());
    assert!(before > 0 && before < PEOPLE);

    let server = place.start("two", "all", SMALL);
    let done = until_completed(&server, &id);
    assert_eq!((treated(&done), done["attempt"].as_u64(), done["failures"].as_u64()), (PEOPLE, Some(2), Some(0)));
    assert_each_treated_once(&place, PEOPLE).await;
}

async fn a_server_told_to_stop_puts_its_task_back(on: On) {
    let place = with_people(on).await;
    hold(&place, on, Ends::LetGo).await;
    // It ends because its chunk has, and not because a time is over.
    let mut server = place.start("one", "all", &[SMALL, &[("DOCKET__QUEUE__DRAIN", "1h")]].concat());
    let id = change(&server, PEOPLE);
    until_midway(&place).await;
    server.signal("-TERM");
    let_go(&place).await;
    assert_eq!(server.end().code(), Some(0));
    let back = place.command(&["task", "show", &id, "--json"]);
    let back: Value = serde_json::from_str(&back).unwrap();
    assert_eq!((back["status"].as_str(), back["failures"].as_u64()), (Some("QUEUED"), Some(0)));
    assert!(treated(&back) > 0 && treated(&back) < PEOPLE);

    let server = place.start("two", "all", SMALL);
    assert_eq!(treated(&until_completed(&server, &id)), PEOPLE);
    assert_each_treated_once(&place, PEOPLE).await;
}

async fn an_export_that_was_killed_midway_is_the_same_file(on: On) {
    let place = with_people(on).await;
    let export = |server: &Process| {
        let body = json!({ "target": { "everyone": true }, "format": "CSV" });
        server.post("/api/1/people/export", &body)["id"].as_str().unwrap().to_owned()
    };
    let mut server = place.start("one", "all", SMALL);
    let undisturbed = export(&server);
    let undisturbed = until_completed(&server, &undisturbed);
    hold(&place, on, Ends::Killed).await;
    let id = export(&server);
    let before = until_midway(&place).await;
    assert!(before < PEOPLE);
    server.signal("-KILL");
    assert!(!server.end().success());
    let_go(&place).await;
    let server = place.start("two", "all", SMALL);
    let done = until_completed(&server, &id);
    assert_eq!((treated(&done), done["attempt"].as_u64(), done["failures"].as_u64()), (PEOPLE, Some(2), Some(0)));
    assert_eq!(done["file"]["sha256"], undisturbed["file"]["sha256"]);
    assert_eq!(done["file"]["rows"], PEOPLE);
}
