//! The real binary with tasks in hand while an older backup of its database is put back beneath it, by the programs that operators
//! use. What it had in hand ends there; what the backup has is done from where it is there.

use std::{path::Path, process::Command};

use testkit::On;

use crate::binary::{PATIENCE, Place, Process, until, wait};

testkit::on_both!(what_a_live_process_had_in_hand_leaves_a_restored_database_alone);

const TESTS: &[(&str, &str)] = &[("DOCKET__QUEUE__SELF_TEST", "true"), ("DOCKET__QUEUE__POLL_INTERVAL", "1h")];
const CHUNKS: u32 = 300;
/// What a chunk takes: all of them as long as anything is waited for.
const SLOW: u32 = (PATIENCE.as_millis() as u32).div_ceil(CHUNKS);

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
    let ids = server.self_tests(3, CHUNKS, SLOW);
    let backup = place.folder.path().join("backup");
    until_at(&server, &ids, 2);
    // What runs has read how slow it is; whatever begins once the backup is put back is quick.
    let quick = format!(
        "UPDATE queued_task SET execution_spec = REPLACE(execution_spec, '\"sleepMs\":{SLOW}', '\"sleepMs\":0')"
    );
    place.write(&quick).await;
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE execution_spec LIKE '%\"sleepMs\":0%'").await, 3);
    back_up(on, &place, &backup);
    let backed_up = until_at(&server, &ids, 2).into_iter().max().unwrap();
    until_at(&server, &ids, backed_up + 2);
    restore(on, &place, &backup);

    let unfinished = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    until("all to complete", async || place.value(unfinished).await == 0).await;
    // One chunk for each that is counted: none was left out, and none was counted in what another had counted.
    let all = format!(
        "SELECT COUNT(*) FROM queued_task
         WHERE succeeded = {CHUNKS} AND attempt = 2 AND execution_state LIKE '%{CHUNKS}%' AND failures = 0 AND crashes = 0"
    );
    assert_eq!(place.value(&all).await, 3, "{}", server.log());
    let fenced = || server.log().matches("fenced: the task is no longer this attempt's").count();
    wait("each run of before to end", || (fenced() >= 3).then_some(()));
    assert_eq!(fenced(), 3, "{}", server.log());
}
