//! Two hosts whose clocks are two hours apart, made by libfaketime: nothing is decided by the clock of a host.

use chrono::DateTime;
use serde_json::json;
use testkit::On;

use crate::binary::{Place, wait};

testkit::tests!(hosts_whose_clocks_are_apart_agree_on_tasks_and_locks);

/// The settings of a host whose clock is wrong by so much. Its monotonic clock is right, as it is on a real one.
fn host(library: &str, offset: &'static str) -> [(&'static str, String); 4] {
    [
        ("LD_PRELOAD", library.to_owned()),
        ("FAKETIME", offset.to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("DOCKET__QUEUE__SELF_TEST", "true".to_owned()),
    ]
}

fn library() -> String {
    let folders = std::fs::read_dir("/usr/lib").unwrap().flatten();
    let found = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).find(|path| path.exists());
    found.expect("install it with: apt-get install libfaketime").display().to_string()
}

fn borrowed<'a>(settings: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    settings.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

async fn hosts_whose_clocks_are_apart_agree_on_tasks_and_locks() {
    let place = Place::on(On::Postgres).await;
    let library = library();
    let (ahead, behind) = (host(&library, "+1h"), host(&library, "-1h"));
    let (ahead, behind) = (borrowed(&ahead), borrowed(&behind));
    let web = place.start("web", "web", &[("DOCKET__QUEUE__SELF_TEST", "true")]);
    let one = place.start("one", "worker", &ahead);
    let two = place.start("two", "worker", &behind);

    let now = place.value("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS bigint)").await;
    let later = DateTime::from_timestamp(now + 3, 0).unwrap();
    let scheduled = web.post("/api/1/admin/self-test", &json!({ "count": 4, "triggerDate": later }));
    let ids = web.self_tests(30, 10, 10);
    let scheduled = scheduled.as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned());
    let all: Vec<String> = ids.into_iter().chain(scheduled).collect();
    wait("all to complete", || {
        all.iter().all(|id| web.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED").then_some(())
    });
    let wrong = "SELECT COUNT(*) FROM queued_task WHERE attempt <> 1 OR succeeded <> total OR failures > 0 OR rescued
        OR execution_started_date < trigger_date";
    assert_eq!(place.value(wrong).await, 0, "none is started twice, taken for dead, or started before its time");
    for process in [&one, &two] {
        assert!(!process.log().contains("cannot say that this process lives"));
    }

    let (held, said) = place.begin_command(&["lock", "hold", "audit", "--for", "60s"], &behind);
    assert_eq!(said.trim(), "holding audit");
    let refused = place.try_command(&["lock", "hold", "audit", "--for", "1s"], &ahead);
    assert!(!refused.status.success(), "an hour ahead, the lock of the other looks long over");
    drop(held);
    place.command(&["lock", "release", "audit", "--reason", "its holder was killed"]);
    let (_held, said) = place.begin_command(&["lock", "hold", "audit", "--for", "60s"], &ahead);
    assert_eq!(said.trim(), "holding audit");
    let refused = place.try_command(&["lock", "hold", "audit", "--for", "1s"], &behind);
    assert!(!refused.status.success());
}
