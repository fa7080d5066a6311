//! The real binary with tasks in hand while an older backup of its database is put back beneath it, by the programs that operators
//! use. What it had in hand ends there; what the backup has is done from where it is there.

use std::{path::Path, process::Command};

use testkit::On;

use crate::binary::{Place, Process, wait};

testkit::on_both!(what_a_live_process_had_in_hand_leaves_a_restored_database_alone);

const TESTS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), ("DOCKET__QUEUE__POLL_INTERVAL", "1h")];
/// For longer than a backup takes on a machine that has much else to do.
const CHUNKS: u32 = 300;

/// Writes one database over another one while others use it, as the command `.restore` of SQLite's own program does.
const RESTORE: &str = "import sqlite3, sys
backup, live = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2], timeout=60)
backup.backup(live)
";

fn done(command: &mut Command) -> bool {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let says = String::from_utf8_lossy(&output.stderr);
    // One of the two waits for the other, and the database ends that: an operator says it once more.
    assert!(output.status.success() || says.contains("deadlock detected"), "{command:?}: {says}");
    output.status.success()
}

fn back_up(on: On, place: &Place, to: &Path) {
    match on {
        On::Sqlite => drop(place.command(&["backup", to.to_str().unwrap()])),
        On::Postgres => assert!(done(Command::new("pg_dump").args(["-Fc", "-f"]).arg(to).arg(&place.url))),
    }
}

fn restore(on: On, place: &Place, from: &Path) {
    let whole = ["--clean", "--single-transaction", "--dbname"];
    wait("the backup to be put back", || {
        let put_back = match on {
            On::Sqlite => {
                let live = place.folder.path().join("docket.db");
                done(Command::new("python3").args(["-c", RESTORE]).arg(from).arg(live))
            }
            On::Postgres => done(Command::new("pg_restore").args(whole).arg(&place.url).arg(from)),
        };
        put_back.then_some(())
    });
}

/// Waits until each of these tasks is so far, and returns how far.
fn until_at(server: &Process, ids: &[String], least: u64) -> Vec<u64> {
    let succeeded = |id: &String| {
        let task = server.get(&format!("/api/1/tasks/{id}"));
        let done = task["succeeded"].as_u64().unwrap();
        assert!(done < u64::from(CHUNKS), "it was over before the backup was put back: {task}");
        done
    };
    wait("the tasks to come along", || {
        let far: Vec<_> = ids.iter().map(succeeded).collect();
        far.iter().all(|done| *done >= least).then_some(far)
    })
}

async fn what_a_live_process_had_in_hand_leaves_a_restored_database_alone(on: On) {
    let place = Place::on(on).await;
    let server = place.start("one", "all", TESTS);
    let ids = server.self_tests(3, CHUNKS, 40);
    let backup = place.folder.path().join("backup");
    until_at(&server, &ids, 5);
    back_up(on, &place, &backup);
    let backed_up = until_at(&server, &ids, 5).into_iter().max().unwrap();
    until_at(&server, &ids, backed_up + 5);
    restore(on, &place, &backup);

    let unfinished = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    crate::binary::until("all to complete", async || place.value(unfinished).await == 0).await;
    // One chunk for each that is counted: none was left out, and none was counted in what another had counted.
    let all = format!(
        "SELECT COUNT(*) FROM queued_task
         WHERE succeeded = {CHUNKS} AND attempt = 2 AND execution_state LIKE '%{CHUNKS}%' AND failures = 0 AND crashes = 0"
    );
    assert_eq!(place.value(&all).await, 3, "{}", server.log());
    assert_eq!(server.log().matches("fenced: the task is no longer this attempt's").count(), 3, "{}", server.log());
}
