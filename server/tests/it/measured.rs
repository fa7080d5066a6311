//! What a process tells those who run it: its metrics at an address of their own, and a log for programs in which a task can
//! be followed from the request that submitted it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::On;

use crate::binary::{Place, Process, wait};

testkit::tests!(
    a_step_that_kept_everybody_waiting_is_counted_and_named_in_the_log,
    #[cfg(target_os = "linux")]
    an_export_is_read_on_threads_that_leave_the_processors_to_pages,
);

testkit::on_both!(
    a_process_is_measured_and_a_task_can_be_followed_in_its_log,
    the_log_says_where_a_request_came_from_and_not_through_which_proxy,
);

/// What it tells whoever collects metrics.
pub fn metrics(process: &Process) -> Option<String> {
    let log = process.log();
    let at = log.split("measured at ").nth(1)?.split(['"', '\n']).next()?;
    Some(ureq::get(at).call().ok()?.body_mut().read_to_string().unwrap())
}

/// What it has logged, each line of which is JSON.
fn lines(process: &Process) -> Vec<Value> {
    process.log().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

async fn a_process_is_measured_and_a_task_can_be_followed_in_its_log(on: On) {
    let place = Place::on(on).await;
    let settings = [
        ("DOCKET__QUEUE__SELF_TEST", "true"),
        ("DOCKET__METRICS__LISTEN", "127.0.0.1:0"),
        ("DOCKET__LOG__FORMAT", "json"),
    ];
    let server = place.start("measured", "all", &settings);
    let ids = server.self_tests(3, 1, 0);
    server.post("/api/1/admin/self-test", &json!({ "outcome": "permanent" }));
    let wanted = [
        "docket_tasks_claimed_total{kind=\"self-test\"} 4",
        "docket_tasks_finished_total{kind=\"self-test\",status=\"COMPLETED\"} 3",
        "docket_tasks_finished_total{kind=\"self-test\",status=\"FAILURE\"} 1",
        "docket_attempts_ended_total{kind=\"self-test\",outcome=\"FAILED\"} 1",
        "docket_attempt_duration_seconds_count{kind=\"self-test\"} 4",
        "docket_task_wait_seconds_count{kind=\"self-test\"} 4",
        "docket_queue_tasks{state=\"waiting\"} 0",
        "docket_processes{state=\"up\"} 1",
        "docket_wakeups_total{source=\"hint\"}",
        "http_requests_total{method=\"POST\",status=\"202\",endpoint=\"/api/1/admin/self-test\"} 2",
    ];
    wait("the metrics", || {
        let text = metrics(&server)?;
        wanted.iter().all(|line| text.contains(line)).then_some(())
    });
    for path in ["/nothing/1", "/nothing/2"] {
        assert!(ureq::get(&format!("http://{}{path}", server.address)).call().is_err());
    }
    let text = metrics(&server).unwrap();
    assert!(text.contains("endpoint=\"unmatched\"} 2") && !text.contains("/nothing/"), "addresses have no end");
    let lines = lines(&server);
    let told: Vec<&str> = lines
        .iter()
        .filter(|line| line["task"] == ids[0].as_str())
        .map(|line| line["message"].as_str().unwrap())
        .collect();
    assert_eq!(told, ["task submitted", "task started", "task completed"]);
    let submitted = lines.iter().find(|line| line["message"] == "task submitted").unwrap();
    assert_eq!(submitted["span"]["id"].as_str().unwrap().len(), 36, "with the id of its request");
    let main = format!("http://{}/metrics", server.address);
    assert!(ureq::get(&main).call().is_err(), "not among the pages");
}

async fn the_log_says_where_a_request_came_from_and_not_through_which_proxy(on: On) {
    let place = Place::on(on).await;
    let settings = [
        ("DOCKET__QUEUE__SELF_TEST", "true"),
        ("DOCKET__HTTP__TRUSTED_PROXIES", "127.0.0.1"),
        ("DOCKET__LOG__FORMAT", "json"),
    ];
    let server = place.start("logged", "all", &settings);
    let submit = ureq::post(format!("http://{}/api/1/admin/self-test", server.address))
        .header("authorization", format!("Bearer {}", server.token))
        .header("x-forwarded-for", "192.0.2.1, 203.0.113.9");
    assert_eq!(submit.content_type("application/json").send("{}").unwrap().status(), 202);
    let submitted = lines(&server).into_iter().find(|line| line["message"] == "task submitted").unwrap();
    assert_eq!(submitted["span"]["source"], "203.0.113.9");
}

/// Everybody else had waited for it, and the log said nothing.
async fn a_step_that_kept_everybody_waiting_is_counted_and_named_in_the_log() {
    let place = Place::on(On::Sqlite).await;
    let settings = [
        ("DOCKET__QUEUE__SELF_TEST", "true"),
        ("DOCKET__METRICS__LISTEN", "127.0.0.1:0"),
        ("DOCKET__LOG__FORMAT", "json"),
    ];
    let server = place.start("holding", "all", &settings);
    let tasks = server.post("/api/1/admin/self-test", &json!({ "holdMs": 1_100, "chunks": 1 }));
    wait("the count", || {
        metrics(&server)?.contains("docket_chunks_over_aim_total{kind=\"self-test\"} 1").then_some(())
    });
    let warned = lines(&server).into_iter().find(|line| line["held_ms"].is_u64()).unwrap();
    assert_eq!((&warned["task"], &warned["kind"]), (&tasks[0]["id"], &json!("self-test")));
    assert!(warned["held_ms"].as_u64() >= Some(1_100) && warned["level"] == "WARN", "{warned}");
}

/// Somebody's export of everybody made the pages of all others slow.
#[cfg(target_os = "linux")]
async fn an_export_is_read_on_threads_that_leave_the_processors_to_pages() {
    let place = Place::on(On::Sqlite).await;
    place.command(&["people", "generate", "--count", "20", "--seed", "1"]);
    let server = place.start("yielding", "all", &[]);
    let task = server.post("/api/1/people/export", &json!({ "target": { "everyone": true }, "format": "CSV" }));
    let task = task["id"].as_str().unwrap().to_owned();
    wait("the export", || (server.get(&format!("/api/1/tasks/{task}"))["status"] == "COMPLETED").then_some(()));
    let threads = std::fs::read_dir(format!("/proc/{}/task", server.id())).unwrap().filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.unwrap().path().join("stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
        let nice: i32 = rest.split_whitespace().nth(16)?.parse().ok()?;
        Some((name.trim_end_matches(|last: char| last == '-' || last.is_ascii_digit()).to_owned(), nice))
    });
    let kinds: BTreeSet<_> = threads.collect();
    let are = |name: &str| kinds.iter().filter(|kind| kind.0.starts_with(name)).map(|kind| kind.1).collect::<Vec<_>>();
    let [usual] = are("tokio-rt")[..] else { panic!("{kinds:?}") };
    assert_eq!(are("aside"), [usual + 10], "{kinds:?}");
    assert_eq!(are("sqlx-sqlite"), [usual, usual + 10], "what it reads of the file, it reads on such a thread as well");
}
