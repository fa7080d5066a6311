//! Exports: who is in the file, that it is one file and the same one whatever happened, and who gets it.

use std::time::Duration;

use caseload::{Actor, Credential, Via, prune::PruneFiles};
use futures::TryStreamExt;
use model::{Action, PeopleFilter, PeopleQuery, PersonId, Problem, ProgramStatus, Target, TaskId, TaskState};
use queue::{lock::LockRequest, schedule::Work};
use sha2::{Digest, Sha256};
use testkit::On;

use crate::college::{College, MANY, everyone, with_status};

testkit::on_both!(
    everybody_is_in_the_file_once_in_the_order_of_the_list,
    two_files_of_the_same_people_are_the_same,
    what_was_disclosed_is_recorded,
    a_download_that_goes_on_is_one_entry_and_another_credential_begins_another,
    only_the_requester_is_offered_the_file,
    a_file_expires_and_is_taken_away,
    what_a_killed_process_had_begun_to_write_is_taken_away,
    too_many_people_are_refused_with_their_number,
    people_out_of_reach_are_left_out,
    a_workbook_has_everybody,
    nobody_is_frozen_and_nobody_is_changed,
    whoever_is_disabled_midway_gets_no_file,
    an_object_that_was_exchanged_in_the_store_is_offered_to_nobody,
    an_export_after_a_restore_shares_no_file_with_the_one_of_before,
);

pub fn export(format: &str) -> Action {
    Action::export(format, None::<[&str; 0]>, None).unwrap()
}

pub async fn content(c: &College, id: TaskId) -> Vec<u8> {
    let file = c.caseload.tasks().download(&c.manager, id).await.unwrap();
    let stream = c.caseload.tasks().read_download(&c.manager, id, &file, 0..file.file.size).await.unwrap();
    stream
        .try_fold(Vec::new(), async |mut all, piece| {
            all.extend_from_slice(&piece);
            Ok(all)
        })
        .await
        .unwrap()
}

fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn everybody_is_in_the_file_once_in_the_order_of_the_list(on: On) {
    let c = College::of_many(on).await;
    let task = c.submit(&c.manager, export("CSV"), Target::Everyone, MANY).await.unwrap().id;
    c.run().await;
    let found = c.caseload.tasks().get(&c.manager, task).await.unwrap();
    assert_eq!((found.row.state, found.row.total, found.row.succeeded), (TaskState::Done, Some(MANY), MANY));
    let content = content(&c, task).await;
    let file = found.file.unwrap();
    assert_eq!((file.rows, file.size, file.sha256), (MANY, content.len() as u64, hash(&content)));
    let mut reader = csv::Reader::from_reader(content.as_slice());
    assert_eq!(reader.headers().unwrap().iter().take(3).collect::<Vec<_>>(), ["School ID", "Last name", "First name"]);
    let ids: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    let first = PeopleQuery { filter: everyone(), limit: Some(200), ..PeopleQuery::default() };
    let page = c.caseload.people().list(&c.manager, &first).await.unwrap();
    assert_eq!(ids[..200], page.items.iter().filter_map(|row| row.school_id.clone()).collect::<Vec<_>>());
    let distinct: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!((ids.len() as u64, distinct.len() as u64), (MANY, MANY));
}

async fn two_files_of_the_same_people_are_the_same(on: On) {
    // As many as fill two objects, so that the last one is empty.
    let c = College::of_many(on).await;
    let one = c.submit(&c.manager, export("CSV"), Target::Everyone, MANY).await.unwrap().id;
    let other = c.submit(&c.manager, export("CSV"), Target::Everyone, MANY).await.unwrap().id;
    c.run().await;
    assert_eq!(content(&c, one).await, content(&c, other).await);
}

async fn what_was_disclosed_is_recorded(on: On) {
    let c = College::of(on, 30).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..7], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let task = c.submit(&c.manager, export("CSV"), target, 7).await.unwrap().id;
    c.run().await;
    let sha256 = c.caseload.tasks().get(&c.manager, task).await.unwrap().file.unwrap().sha256;
    let disclosed = "SELECT COUNT(*) FROM audit WHERE action = 'export.disclose' AND actor_id = $1 AND object_id = $2
        AND detail LIKE '%NO_SHOW%' AND detail LIKE '%\"count\":7%' AND detail LIKE '%CONTACT%' AND detail LIKE $3";
    let values = [c.manager.person_id.into(), task.to_string().into(), format!("%{sha256}%").into()];
    assert_eq!(c.count(disclosed, values).await, 1);
    let file = c.caseload.tasks().download(&c.manager, task).await.unwrap();
    drop(c.caseload.tasks().read_download(&c.manager, task, &file, 1..file.file.size).await.unwrap());
    drop(c.caseload.tasks().read_download(&c.manager, task, &file, 2..file.file.size).await.unwrap());
    let downloads = "SELECT COUNT(*) FROM audit WHERE action = 'export.download' AND actor_id = $1 AND object_id = $2";
    assert_eq!(c.count(downloads, [c.manager.person_id.into(), task.to_string().into()]).await, 1);
}

async fn a_download_that_goes_on_is_one_entry_and_another_credential_begins_another(on: On) {
    let c = College::of(on, 4).await;
    let task = c.submit(&c.manager, export("CSV"), Target::Everyone, 4).await.unwrap().id;
    c.run().await;
    let by = |credential| Actor { via: Via::new(credential, None), ..c.manager.clone() };
    let (browser, program) = (by(Credential::Session("one".to_owned())), by(Credential::Token(queue::new_id())));
    let mut entries = Vec::new();
    for (actor, later) in [(&browser, 0), (&browser, 1_700), (&program, 0), (&program, 0), (&browser, 1_800)] {
        c.test.clock.advance(Duration::from_secs(later));
        let file = c.caseload.tasks().download(actor, task).await.unwrap();
        drop(c.caseload.tasks().read_download(actor, task, &file, 1..file.file.size).await.unwrap());
        entries.push(c.count("SELECT COUNT(*) FROM audit WHERE action = 'export.download'", []).await);
    }
    assert_eq!(entries, [1, 1, 2, 2, 2]);
}

async fn only_the_requester_is_offered_the_file(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, export("CSV"), Target::Everyone, 5).await.unwrap().id;
    c.run().await;
    assert!(c.caseload.tasks().download(&c.coach, task).await.is_ok());
    for actor in [&c.other_coach, &c.manager, &c.administrator] {
        let problem = Problem::from(c.caseload.tasks().download(actor, task).await.map(|_| ()).unwrap_err());
        assert_eq!(problem.status, 404, "{}", actor.username);
    }
    assert_eq!(c.caseload.tasks().get(&c.manager, task).await.unwrap().file, None);
}

async fn a_file_expires_and_is_taken_away(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.manager, export("CSV"), Target::Everyone, 10).await.unwrap().id;
    c.run().await;
    let prune = PruneFiles::new(c.test.db.clone(), c.caseload.files().clone());
    let lock = c.caseload.queue().locks("test").try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    assert_eq!(prune.fire(&lock).await.unwrap(), "1 file", "what it was composed of");
    content(&c, task).await;
    c.test.clock.advance(Duration::from_secs(3_700));
    let problem = Problem::from(c.caseload.tasks().download(&c.manager, task).await.map(|_| ()).unwrap_err());
    assert_eq!((problem.status, problem.code.as_str()), (410, "file_gone"));
    assert_eq!(prune.fire(&lock).await.unwrap(), "1 file");
    assert_eq!(std::fs::read_dir(c.folder.path()).unwrap().count(), 0, "nothing is left of it");
}

/// What a killed process had begun to write lay there for ever: the store does not tell of it.
async fn what_a_killed_process_had_begun_to_write_is_taken_away(on: On) {
    let c = College::of(on, 0).await;
    let folder = c.folder.path().join(TaskId::from_u128(7).to_string());
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("upload.csv#3"), "half of an upload").unwrap();
    let prune = PruneFiles::new(c.test.db.clone(), c.caseload.files().clone());
    let lock = c.caseload.queue().locks("test").try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    assert_eq!(prune.fire(&lock).await.unwrap(), "1 file");
    assert_eq!(std::fs::read_dir(c.folder.path()).unwrap().count(), 0);
}

async fn too_many_people_are_refused_with_their_number(on: On) {
    let c = College::of(on, 12_001).await;
    let problem = c.submit(&c.manager, export("CSV"), Target::Everyone, 12_001).await.unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (422, "too_many_people"));
    assert!(problem.detail.contains("12,001 people") && problem.detail.contains("12,000"), "{}", problem.detail);
}

async fn people_out_of_reach_are_left_out(on: On) {
    let c = College::of(on, 20).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    let watch = "INSERT INTO watch (watcher_id, person_id, watched_date) VALUES ($1, $2, {now})";
    c.write(watch, [c.coach.person_id.into(), theirs[0].into()]).await;
    let named = [vec![theirs[0], theirs[1], PersonId::from_u128(9)], mine[..4].to_vec()].concat();
    let preview = c.caseload.actions().preview(&c.coach, export("CSV"), Target::People(named.clone())).await.unwrap();
    let skipped: Vec<u64> = preview.skipped.iter().map(|line| line.count).collect();
    assert_eq!((preview.total, preview.will_change, skipped), (7, 4, vec![2, 1]));
    let task = c.submit(&c.coach, export("CSV"), Target::People(named), 7).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, task).await.unwrap().file.unwrap().rows, 4);
}

async fn a_workbook_has_everybody(on: On) {
    let c = College::of(on, 5_050).await;
    c.write(
        "UPDATE person SET first_name = '=1+1' WHERE school_id = (SELECT MIN(school_id) FROM person WHERE student)",
        [],
    )
    .await;
    let action = Action::export("XLSX", Some(["PERSONAL", "EXTRA", "PROGRAM"]), None).unwrap();
    let task = c.submit(&c.manager, action, Target::Everyone, 5_050).await.unwrap().id;
    c.run().await;
    let bytes = content(&c, task).await;
    let sheet = sheet(&bytes);
    assert_eq!(sheet.matches("<row ").count(), 5_051, "titles and people");
    assert!(sheet.contains("=1+1") && !sheet.contains("<f>"), "a text, not a formula");
}

/// The one sheet of a workbook, as XML.
fn sheet(workbook: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(workbook)).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut xml).unwrap();
    xml
}

async fn nobody_is_frozen_and_nobody_is_changed(on: On) {
    let c = College::of(on, 30).await;
    let before = c.count("SELECT COUNT(*) FROM program_status_history", []).await;
    let filter = PeopleFilter { program_status: vec![ProgramStatus::Active], ..everyone() };
    c.submit(&c.manager, export("CSV"), Target::Query { filter, exclude: vec![] }, 30).await.unwrap();
    c.run().await;
    assert_eq!(c.count("SELECT COUNT(*) FROM task_person", []).await, 0);
    assert_eq!(c.count("SELECT COUNT(*) FROM program_status_history", []).await, before);
}

async fn whoever_is_disabled_midway_gets_no_file(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, export("CSV"), Target::Everyone, 5).await.unwrap().id;
    // As if it had been claimed just before.
    c.write("UPDATE account SET disabled = TRUE WHERE username = 'coach'", []).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (TaskState::Failed, 0));
}

/// The names of everything that an export has written, in their order.
fn written(c: &College, task: TaskId) -> Vec<String> {
    let entries = std::fs::read_dir(c.folder.path().join(task.to_string())).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Those of its objects.
fn parts(c: &College, task: TaskId) -> Vec<String> {
    written(c, task).into_iter().filter(|name| name.starts_with("part-")).collect()
}

/// The database knows nothing of the first attempt any more, and counts from one again; what it has written is still there, and
/// somebody may still be writing it.
async fn an_export_after_a_restore_shares_no_file_with_the_one_of_before(on: On) {
    for format in ["CSV", "XLSX"] {
        let c = College::of(on, 3_000).await;
        let task = c.submit(&c.manager, export(format), Target::Everyone, 3_000).await.unwrap().id;
        c.run().await;
        let read = |name: &String| std::fs::read(c.folder.path().join(task.to_string()).join(name)).unwrap();
        let before: Vec<_> = written(&c, task).into_iter().map(|name| (read(&name), name)).collect();
        assert_eq!(before.len(), 3, "{before:?}");
        for sql in [
            "DELETE FROM export",
            "DELETE FROM task_attempt",
            "UPDATE queued_task SET workflow_status = 'QUEUED', attempt = 0, execution_state = '{}', succeeded = 0",
            "UPDATE person SET last_name = 'Renamed'",
        ] {
            c.test.db.write(sql, []).await.unwrap();
        }
        c.run().await;
        let file = c.caseload.tasks().get(&c.manager, task).await.unwrap().file.unwrap();
        assert_eq!(file.rows, 3_000);
        assert_eq!(hash(&content(&c, task).await), file.sha256);
        for (content, name) in &before {
            assert!(read(name) == *content, "{name} is another's now");
        }
        assert_eq!(written(&c, task).len(), 6, "{:?}", written(&c, task));
    }
}

/// The rows were read into an object; before they are composed somebody with the store in hand exchanges it.
async fn an_object_that_was_exchanged_in_the_store_is_offered_to_nobody(on: On) {
    for format in ["CSV", "XLSX"] {
        let c = College::of(on, 3_000).await;
        // Of the same people, so that its objects are called alike.
        let same = c.submit(&c.manager, export(format), Target::Everyone, 3_000).await.unwrap().id;
        c.run().await;
        let [first, second] = <[String; 2]>::try_from(parts(&c, same)).unwrap();
        let task = c.submit(&c.manager, export(format), Target::Everyone, 3_000).await.unwrap().id;
        // The second object fails until the first one has been exchanged.
        let folder = c.folder.path().join(task.to_string());
        std::fs::create_dir_all(folder.join(&second)).unwrap();
        c.run().await;
        assert!(folder.join(&first).is_file());
        std::fs::write(folder.join(&first), "=cmd|'/C calc'!A0\r\n").unwrap();
        std::fs::remove_dir(folder.join(&second)).unwrap();
        c.test.clock.advance(Duration::from_secs(3_600));
        c.run().await;
        let found = c.caseload.tasks().get(&c.manager, task).await.unwrap();
        assert_eq!((found.row.state, found.file.is_none()), (TaskState::Failed, true), "{format}");
    }
}
