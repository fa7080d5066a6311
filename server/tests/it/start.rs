//! How the real binary comes to its tables: by five at once, and after starts that were killed in the middle of it.

use std::time::Duration;

use testkit::On;

use crate::binary::{Place, empty, wait};

testkit::on_both!(starts_that_are_killed_in_the_middle_of_the_migrations_are_made_good);

#[tokio::test(flavor = "multi_thread")]
async fn five_processes_start_at_once_on_an_empty_database() {
    let (folder, url) = empty(On::Postgres).await;
    let place = Place::bare(folder, url);
    let names = ["a", "b", "c", "d", "e"];
    let processes = names.map(|name| place.spawn(name, "worker", &[]));
    for process in &processes {
        wait("all to be ready", || process.log().contains("ready to run tasks").then_some(()));
        assert!(!process.log().contains("ERROR"), "{}", process.log());
    }
    assert_eq!(place.value("SELECT COUNT(*) FROM process").await, 5);
}

#[tokio::test]
async fn a_limit_for_a_kind_that_nobody_knows_is_warned_of() {
    let place = Place::on(On::Sqlite).await;
    let server = place.start(
        "one",
        "all",
        &[("DOCKET__QUEUE__PER_KIND__EXPROT", "2"), ("DOCKET__QUEUE__PER_KIND__EXPORT", "2")],
    );
    assert!(server.log().contains("queue.per_kind.exprot: this version knows no such kind"), "{}", server.log());
    assert!(!server.log().contains("queue.per_kind.export:"), "{}", server.log());
}

/// A little later each time, until one comes through.
async fn starts_that_are_killed_in_the_middle_of_the_migrations_are_made_good(on: On) {
    let (folder, url) = empty(on).await;
    let place = Place::bare(folder, url);
    for delay in (4..40).step_by(3) {
        let mut process = place.spawn("killed", "all", &[]);
        tokio::time::sleep(Duration::from_millis(delay)).await;
        process.signal("-KILL");
        process.end();
    }
    place.command(&["migrate"]);
    let _server = place.start("last", "all", &[]);
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task").await, 0);
}
