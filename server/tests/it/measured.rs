//! What a process tells those who run it: its metrics at an address of their own, and a log for programs in which a task can
//! be followed from the request that submitted it.

use serde_json::{Value, json};
use testkit::On;

use crate::binary::{Place, Process, wait};

testkit::on_both!(a_process_is_measured_and_a_task_can_be_followed_in_its_log);

/// What it tells whoever collects metrics.
pub fn metrics(process: &Process) -> Option<String> {
    let log = process.log();
    let at = log.split("measured at ").nth(1)?.split(['"', '\n']).next()?;
    Some(ureq::get(at).call().ok()?.body_mut().read_to_string().unwrap())
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
    let log = server.log();
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(lines.len(), log.lines().count(), "every line is JSON");
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
