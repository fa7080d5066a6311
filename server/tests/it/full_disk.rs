//! The real binary on a database whose disk is full in the middle of a change: nobody is said to have failed for that, whoever
//! looks is told, and once there is room the rest is done by itself, and nothing twice.

use serde_json::{Value, json};
use testkit::{Apart, OwnPostgres, SmallDisk};

use crate::{
    binary::{Place, Process, wait},
    everybody::{SMALL, assert_each_treated_once, change, generate, task, treated},
};

testkit::tests!(
    within testkit::LONGEST * 2;
    a_change_goes_on_when_sqlite_has_room_again,
    a_change_goes_on_when_the_data_of_postgres_have_room_again,
    a_change_goes_on_when_the_log_of_postgres_has_room_and_it_was_started_again,
);

const PEOPLE: u64 = 10_000;

/// What a process answers though it may refuse: the status, and the body.
fn answer(server: &Process, path: &str, body: Option<&Value>) -> (u16, Value) {
    let agent = ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build());
    let (url, token) = (format!("http://{}{path}", server.address), format!("Bearer {}", server.token));
    let answer = match body {
        Some(body) => {
            agent.post(url).header("authorization", token).content_type("application/json").send(body.to_string())
        }
        None => agent.get(url).header("authorization", token).call(),
    };
    let answer = answer.unwrap();
    (answer.status().as_u16(), serde_json::from_str(&answer.into_body().read_to_string().unwrap()).unwrap())
}

/// Begins the change of everybody, on a disk that is full once some of them have been treated.
fn fill_midway(place: &Place, disk: &SmallDisk) -> (Process, String) {
    let settings: Vec<_> = SMALL.iter().copied().chain([("DOCKET__QUEUE__SELF_TEST", "true")]).collect();
    let server = place.start("full", "all", &settings);
    let id = change(&server, PEOPLE);
    wait("some to be treated", || (treated(&task(&server, &id)) > 0).then_some(()));
    disk.fill().unwrap();
    (server, id)
}

/// Whoever submits is refused in words, whoever looks sees how far it has come, and the task is given back once nothing helps.
fn assert_it_waits_for_room(server: &Process, id: &str) {
    let (status, problem) = wait("a submit to be refused", || {
        Some(answer(server, "/api/1/admin/self-test", Some(&json!({ "count": 500 })))).filter(|it| it.0 != 202)
    });
    let why = "Docket cannot reach its database. Try again in a moment.";
    assert_eq!((status, problem["detail"].as_str()), (503, Some(why)));
    // Nothing else has run: whatever else was submitted was refused.
    wait("the attempt to give up", || server.log().contains("attempt ended").then_some(()));
    let standing = task(server, id);
    assert!(treated(&standing) < PEOPLE, "it was over before the disk was full");
    assert_eq!(standing["failed"], 0);
}

async fn assert_the_rest_is_done(place: &Place, server: &Process, id: &str) {
    wait("the change to complete", || (task(server, id)["status"] == "COMPLETED").then_some(()));
    assert_each_treated_once(place, PEOPLE).await;
    assert!(!server.log().contains("the task is dead"), "nobody has to bring it back to life");
}

async fn a_change_goes_on_when_sqlite_has_room_again() {
    let Some(disk) = SmallDisk::of("a_change_goes_on_when_sqlite_has_room_again", 48) else { return };
    let url = testkit::sqlite_url(&disk.path().join("docket.db"));
    let place = Place::at(tempfile::tempdir().unwrap(), url);
    generate(&place, PEOPLE);
    let (server, id) = fill_midway(&place, &disk);
    assert_it_waits_for_room(&server, &id);
    let health = server.get("/api/1/admin/queue");
    let told = health["attention"].as_array().unwrap().iter().find(|told| told["code"] == "disk_low").unwrap();
    assert_eq!(told["text"], "The disk for the database is nearly full: 0 MB left");
    disk.make_room().unwrap();
    assert_the_rest_is_done(&place, &server, &id).await;
    assert_eq!(place.value("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'").await, 1);
}

async fn a_change_goes_on_when_the_data_of_postgres_have_room_again() {
    let Some(disk) = SmallDisk::of("a_change_goes_on_when_the_data_of_postgres_have_room_again", 96) else {
        return;
    };
    let postgres = OwnPostgres::on_disk(Apart::Data(disk.path())).unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    generate(&place, PEOPLE);
    let (server, id) = fill_midway(&place, &disk);
    assert_it_waits_for_room(&server, &id);
    disk.make_room().unwrap();
    assert_the_rest_is_done(&place, &server, &id).await;
}

/// PostgreSQL cannot go on without its log: it ends all that it does, and then itself.
async fn a_change_goes_on_when_the_log_of_postgres_has_room_and_it_was_started_again() {
    let Some(disk) = SmallDisk::of("a_change_goes_on_when_the_log_of_postgres_has_room", 64) else { return };
    let postgres = OwnPostgres::on_disk(Apart::Log(disk.path())).unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    generate(&place, PEOPLE);
    let (server, id) = fill_midway(&place, &disk);
    wait("PostgreSQL to end", || {
        let said = postgres.said();
        (said.contains("PANIC") && said.contains("database system is shut down")).then_some(())
    });
    let (status, problem) = answer(&server, "/readyz", None);
    assert_eq!((status, problem["part"].as_str()), (503, Some("database")));
    disk.grow(1_024).unwrap();
    postgres.restart().unwrap();
    wait("the process to be ready", || (answer(&server, "/readyz", None).0 == 200).then_some(()));
    assert_the_rest_is_done(&place, &server, &id).await;
}
