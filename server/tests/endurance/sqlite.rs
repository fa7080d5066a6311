//! SQLite killed under writes, and without room on its disk.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use rand::RngExt;
use serde_json::json;
use testkit::On;

use crate::{
    binary::{Place, wait},
    college::{SMALL, assert_each_treated_once, change, generate},
};

const KILLS: u32 = 50;
const SETTINGS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), SMALL];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn sqlite_is_killed_fifty_times_under_writes() {
    let place = Place::on(On::Sqlite).await;
    generate(&place);
    let mut server = place.start("kill", "all", SETTINGS);
    change(&server);
    let mut acknowledged = Vec::new();
    for _ in 0..KILLS {
        acknowledged.extend(server.self_tests(5, 3, 5));
        let pause = rand::rng().random_range(0..300);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        server.signal("-KILL");
        server.end();
        server = place.start("kill", "all", SETTINGS);
    }
    let left = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    let began = Instant::now();
    while place.value(left).await > 0 {
        assert!(began.elapsed() < Duration::from_secs(300), "{} are left", place.value(left).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let ok = place.value("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'").await;
    let there = place
        .value("SELECT COUNT(*) FROM queued_task WHERE execution_component_name = 'self-test' AND succeeded = 3")
        .await;
    let attempts = place.value("SELECT SUM(attempt) FROM queued_task").await;
    eprintln!(
        "{KILLS} kills: integrity ok {ok}; {there} of {} acknowledged self-tests done; {attempts} attempts",
        acknowledged.len()
    );
    assert_eq!((ok, there), (1, i64::try_from(acknowledged.len()).unwrap()));
    assert_each_treated_once(&place).await;
}

/// A file system of its own; needs root.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn new(path: std::path::PathBuf, size: &str) -> SmallDisk {
        std::fs::create_dir_all(&path).unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path).status().unwrap();
        assert!(mounted.success(), "a small file system cannot be mounted; this test needs root");
        SmallDisk(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn a_full_disk_is_said_and_work_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let disk = SmallDisk::new(folder.path().join("disk"), "64m");
    let url = testkit::sqlite_url(&disk.0.join("docket.db"));
    let place = Place::at(folder, url);
    generate(&place);
    let server = place.start("full", "all", SETTINGS);
    let id = change(&server);
    let treated = || {
        let task = server.get(&format!("/api/1/tasks/{id}"));
        task["succeeded"].as_u64().unwrap() + task["skipped"].as_u64().unwrap()
    };
    wait("some to be treated", || (treated() > 0).then_some(()));
    // Whatever room there is goes to somebody else.
    let filler = disk.0.join("filler");
    let filled = Command::new("sh").arg("-c").arg(format!("cat /dev/zero > {}", filler.display())).output().unwrap();
    assert!(!filled.status.success());
    let agent = ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build());
    let refused = wait("a submit to be refused", || {
        let answer = agent
            .post(format!("http://{}/api/1/admin/self-test", server.address))
            .header("authorization", format!("Bearer {}", place.token))
            .content_type("application/json")
            .send(json!({ "count": 1000 }).to_string())
            .unwrap();
        (answer.status() != 202).then(|| (answer.status().as_u16(), answer.into_body().read_to_string().unwrap()))
    });
    let reads = server.get("/api/1/people?scope=all&limit=1")["items"].as_array().map(Vec::len);
    let stood = treated();
    eprintln!("full: a submit is answered {refused:?}; people can be read: {reads:?}; {stood} treated");
    assert_eq!((refused.0, reads), (503, Some(1)));
    std::fs::remove_file(&filler).unwrap();
    let room = Instant::now();
    wait("the task to complete", || (server.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED").then_some(()));
    eprintln!("full: completed {:.1?} after there was room", room.elapsed());
    assert_each_treated_once(&place).await;
    assert_eq!(place.value("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'").await, 1);
}
