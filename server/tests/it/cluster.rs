//! Several processes of the real binary on one PostgreSQL: a worker is killed or frozen and another goes on, and pages served
//! by one process hear what another does.

use std::{
    io::{BufRead, BufReader},
    sync::{Arc, Mutex},
};

use testkit::On;

use crate::binary::{Place, Process, until, wait};

testkit::tests!(
    what_a_killed_worker_held_goes_on_elsewhere,
    a_frozen_worker_changes_nothing_when_it_wakes,
    a_page_of_one_process_hears_what_another_does,
    a_worker_takes_nothing_once_a_newer_version_has_changed_the_database,
    exchanging_every_process_one_by_one_fails_nothing,
);

/// A poll so far away that nothing is found by it.
const TESTS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), ("DOCKET__QUEUE__POLL_INTERVAL", "3600s")];

fn tests_with(settings: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    TESTS.iter().chain(settings).copied().collect()
}

fn completed(web: &Process, ids: &[String]) -> bool {
    ids.iter().all(|id| web.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED")
}

/// How many tasks a process of that name is on.
async fn held_by(place: &Place, name: &str) -> i64 {
    place.value(&format!("SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process LIKE '{name}-%'")).await
}

async fn until_both_work(place: &Place) {
    until("both workers to work", async || held_by(place, "one").await > 0 && held_by(place, "two").await > 0).await;
}

async fn what_a_killed_worker_held_goes_on_elsewhere() {
    let place = Place::on(On::Postgres).await;
    let web = place.start("web", "web", TESTS);
    let mut one = place.start("one", "worker", TESTS);
    let _two = place.start("two", "worker", TESTS);
    let ids = web.self_tests(12, 100, 40);
    until_both_work(&place).await;
    one.signal("-KILL");
    one.end();
    until("what it held to be taken back", async || held_by(&place, "one").await == 0).await;
    wait("all to complete", || completed(&web, &ids).then_some(()));
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE succeeded <> 100 OR failures <> 0").await, 0);
}

async fn a_frozen_worker_changes_nothing_when_it_wakes() {
    let place = Place::on(On::Postgres).await;
    let brief = tests_with(&[("DOCKET__QUEUE__LEASE", "6s"), ("DOCKET__QUEUE__HEARTBEAT", "500ms")]);
    let web = place.start("web", "web", &brief);
    let one = place.start("one", "worker", &brief);
    let _two = place.start("two", "worker", &brief);
    let ids = web.self_tests(12, 40, 50);
    until_both_work(&place).await;
    one.signal("-STOP");
    wait("all to complete", || completed(&web, &ids).then_some(()));
    let before = place.value("SELECT SUM(attempt) FROM queued_task").await;
    one.signal("-CONT");
    // It claims again once it has seen that it was given up.
    let more = web.self_tests(4, 4, 10);
    wait("more to complete", || completed(&web, &more).then_some(()));
    let wrong = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED' OR succeeded <> total";
    assert_eq!(place.value(wrong).await, 0);
    assert_eq!(place.value("SELECT SUM(attempt) FROM queued_task").await, before + 4, "nothing was started again");
}

async fn a_page_of_one_process_hears_what_another_does() {
    let place = Place::on(On::Postgres).await;
    let web = place.start("web", "web", TESTS);
    let _one = place.start("one", "worker", TESTS);
    let mut events = events(&web);
    let ids = web.self_tests(1, 5, 20);
    let end = events.find(|line| line.contains(&ids[0]) && line.contains("COMPLETED"));
    assert!(end.is_some(), "the stream ended before the task did");
}

async fn a_worker_takes_nothing_once_a_newer_version_has_changed_the_database() {
    let place = Place::on(On::Postgres).await;
    let web = place.start("web", "web", TESTS);
    let one = place.start("one", "worker", TESTS);
    let running = web.self_tests(1, 100, 50);
    wait("it to run", || (web.get(&format!("/api/1/tasks/{}", running[0]))["status"] == "EXECUTING").then_some(()));
    place.write("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_from_the_future', 0)").await;
    // From then on nothing, noticed or not.
    let waiting = web.self_tests(1, 1, 0);
    wait("the worker to notice", || one.log().contains("takes no more tasks").then_some(()));
    wait("what runs to go on", || completed(&web, &running).then_some(()));
    assert_eq!(web.get(&format!("/api/1/tasks/{}", waiting[0]))["status"], "QUEUED");
    let refused = place.try_command(&["migrate"], &[]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("a newer Docket"), "{refused:?}");
    place.write("DELETE FROM seaql_migrations WHERE version = 'm9999_from_the_future'").await;
    wait("the other to run", || completed(&web, &waiting).then_some(()));
}

/// How often a process is exchanged, one after the other.
const ROUNDS: usize = 4;

async fn exchanging_every_process_one_by_one_fails_nothing() {
    let place = Place::on(On::Postgres).await;
    exchange_all(&place, |name, role| place.start(name, role, TESTS)).await;
}

/// Exchanges a web process and two workers, again and again, while one web process stays and has more and more to do. It
/// must answer everything, and whoever listens to it must hear it to the end.
pub async fn exchange_all(place: &Place, start: impl Fn(&str, &str) -> Process) {
    let stays = start("stays", "web");
    let listener = listen(&stays);
    let names = ["web", "one", "two"].into_iter().zip(["web", "worker", "worker"]);
    let mut processes: Vec<_> = names.map(|(name, role)| (name, role, start(name, role))).collect();
    let mut ids = Vec::new();
    for round in 0..ROUNDS {
        ids.extend(stays.self_tests(6, 10, 20));
        for (name, role, process) in &mut processes {
            // Panics on a 5xx, as every call of the one that stays does.
            stays.get("/api/1/tasks?scope=all");
            let next = start(&format!("{name}{round}"), role);
            process.signal("-TERM");
            assert!(process.end().success(), "{name} in round {round}");
            *process = next;
        }
    }
    wait("all to complete", || completed(&stays, &ids).then_some(()));
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE failures <> 0 OR crashes <> 0").await, 0);
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE succeeded <> 10").await, 0);
    let last = stays.self_tests(1, 1, 0).remove(0);
    wait("the end of the last to be heard", || {
        let heard = listener.lock().unwrap();
        heard.iter().any(|line| line.contains(&last) && line.contains("COMPLETED")).then_some(())
    });
}

/// Collects what a process tells whoever looks at tasks, over one connection.
fn listen(web: &Process) -> Arc<Mutex<Vec<String>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let lines = events(web);
    let collected = heard.clone();
    std::thread::spawn(move || lines.for_each(|line| collected.lock().unwrap().push(line)));
    heard
}

/// The lines of an event stream about tasks, until it ends.
fn events(web: &Process) -> impl Iterator<Item = String> + Send + use<> {
    let events = ureq::get(format!("http://{}/events?topics=tasks", web.address))
        .header("authorization", format!("Bearer {}", web.token))
        .call()
        .unwrap();
    BufReader::new(events.into_body().into_reader()).lines().map_while(Result::ok)
}
