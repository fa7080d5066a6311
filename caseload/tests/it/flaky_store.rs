//! A store that fails one write in three, parts and ends of large files among them: what it holds at last is what it would have held.

use std::{fmt::Write, sync::atomic::Ordering};

use bytes::Bytes;
use caseload::{files::Files, import::Upload};
use model::{Action, Problem, Target, TaskId, TaskState};
use testkit::On;

use crate::{
    college::{College, MANY},
    exporting::content,
    flaky::{Chance, Flaky},
    importing::MAPPING,
};

testkit::on_both!(
    an_export_to_a_store_that_fails_now_and_then_is_the_same_file,
    an_upload_to_a_store_that_fails_now_and_then_is_imported_once,
);

/// More than any of them needs.
const ROUNDS: u32 = 200;

async fn an_export_to_a_store_that_fails_now_and_then_is_the_same_file(on: On) {
    let chance = Chance::new(7);
    let c = College::of_many_storing(on, Files::kept_by(Flaky::by(&chance))).await;
    // Of so much a file is written in parts.
    let long = format!(r#"{{"note":"{}"}}"#, "x".repeat(600));
    c.write("UPDATE person SET extra = $1 WHERE student", [long.into()]).await;
    let export = || Action::export("CSV", Some(["EXTRA"]), None).unwrap();
    let undisturbed = c.submit(&c.manager, export(), Target::Everyone, MANY).await.unwrap().id;
    c.run().await;
    let whole = content(&c, undisturbed).await;
    assert!(whole.len() > 6 << 20, "it has one part: {}", whole.len());
    chance.begin();
    let id = c.submit(&c.manager, export(), Target::Everyone, MANY).await.unwrap().id;
    for round in 0.. {
        assert!(round < ROUNDS, "it does not end");
        if c.run_to_an_end(id).await == TaskState::Done {
            break;
        }
        c.caseload.tasks().retry(&c.manager, id, None).await.unwrap();
    }
    assert!(chance.failed.load(Ordering::SeqCst) > 2);
    let of = async |id: TaskId| c.caseload.tasks().get(&c.manager, id).await.unwrap().file.unwrap();
    assert_eq!((of(id).await.rows, of(id).await.sha256), (MANY, of(undisturbed).await.sha256));
    assert!(content(&c, id).await == whole);
}

const LINES: u64 = 5_600;

/// Whoever uploads is told that it failed, and does so again.
async fn an_upload_to_a_store_that_fails_now_and_then_is_imported_once(on: On) {
    let chance = Chance::new(12);
    let c = College::storing(on, 1, Files::kept_by(Flaky::by(&chance))).await;
    let mut file = "id,name,status,rest\n".to_owned();
    for n in 0..LINES {
        writeln!(file, "N-{n:04},Newcomer,A,{}", "x".repeat(1_000)).unwrap();
    }
    chance.begin();
    let mut tasks: Vec<TaskId> = Vec::new();
    for _ in 0..ROUNDS {
        match try_to_import(&c, &file).await {
            Some(id) => tasks.push(id),
            None => assert_eq!(c.caseload.files().tasks().await.unwrap(), tasks, "nothing is left of what failed"),
        }
        // Some come through at once.
        if !tasks.is_empty() && chance.failed.load(Ordering::SeqCst) > 3 {
            break;
        }
    }
    for (time, task) in tasks.iter().enumerate() {
        assert_eq!(c.run_to_an_end(*task).await, TaskState::Done);
        let row = c.caseload.tasks().get(&c.administrator, *task).await.unwrap().row;
        let new = if time == 0 { LINES } else { 0 };
        assert_eq!((row.total, row.succeeded, row.skipped), (Some(LINES), new, LINES - new));
    }
    let people = c.count("SELECT COUNT(*) FROM person WHERE school_id LIKE 'N-%'", []).await;
    let lines = c.count("SELECT COUNT(*) FROM task_person", []).await;
    assert_eq!((people, lines), (LINES.cast_signed(), LINES.cast_signed() * i64::try_from(tasks.len()).unwrap()));
}

async fn try_to_import(c: &College, file: &str) -> Option<TaskId> {
    let mut upload: Upload = c.caseload.imports().begin_upload(&c.administrator).unwrap();
    for piece in file.as_bytes().chunks(65_536) {
        if upload.put(Bytes::copy_from_slice(piece)).await.is_err() {
            upload.abandon().await;
            return None;
        }
    }
    match c.caseload.imports().submit(&c.administrator, "spring.csv", MAPPING, upload).await {
        Ok(submitted) => Some(submitted.id),
        Err(error) => {
            assert_eq!(Problem::from(error).status, 500, "it is no fault of the file's");
            None
        }
    }
}
