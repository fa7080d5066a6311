//! Import as a task: each line of the file has a line in the ledger, and a second import changes nothing.

use std::fmt::Write;

use bytes::Bytes;
use caseload::import::Upload;
use model::{
    Action, ChangeReason, LedgerQuery, Outcome, Problem, ProgramStatus, Role, Target, TaskId, TaskState,
    action::StatusChange, admin::Window,
};
use testkit::On;

use crate::{
    college::{College, refuse},
    exporting,
};

testkit::on_both!(
    each_line_has_a_line_in_the_ledger,
    an_import_goes_on_at_its_line_after_a_failure_and_reads_no_line_twice,
    rows_of_a_person_that_are_far_apart_come_to_one,
    a_second_row_of_a_person_does_not_count_however_far_from_the_first,
    a_row_that_never_ends_fails_the_file_and_not_the_memory,
    several_rows_of_a_person_come_to_one,
    what_is_wrong_with_the_file_is_said_at_once,
    whoever_is_no_administrator_any_more_stops,
    a_quote_that_is_never_closed_fails_its_line_alone,
    what_docket_exports_it_imports_without_a_change,
    a_file_that_was_exchanged_in_the_store_is_not_imported,
    a_file_that_was_cut_off_in_the_store_is_not_imported_as_if_it_were_whole,
    bad_values_of_a_file_are_one_failure_and_no_people,
);

pub const MAPPING: &str = r#"
    [person]
    school_id = "id"
    last_name = "name"
    program_status = { column = "status", values = { A = "ACTIVE", I = "INACTIVE" } }
"#;

async fn import(c: &College, mapping: &str, file: &str) -> TaskId {
    let upload = uploaded(c, file).await;
    c.caseload.imports().submit(&c.administrator, "spring.csv", mapping, upload).await.unwrap().id
}

/// A file that has come in, in small pieces.
pub async fn uploaded(c: &College, file: &str) -> Upload {
    let mut upload = c.caseload.imports().begin_upload(&c.administrator).unwrap();
    for piece in file.as_bytes().chunks(1_000) {
        upload.put(Bytes::copy_from_slice(piece)).await.unwrap();
    }
    upload
}

async fn bad_values_of_a_file_are_one_failure_and_no_people(on: On) {
    let c = College::of(on, 1).await;
    let mapping = MAPPING.replace("I = ", "N = \"NON_PARTICIPATING\", I = ");
    let rows = "B-1,One,Fail\nB-2,Two,Withdrawn\nB-3,Three,Fail\nB-4,Four,N\nB-5,Five,A\n";
    let task = import(&c, &mapping, &format!("id,name,status\n{rows}")).await;
    c.run().await;
    let failures = c.caseload.admin().failures(&c.administrator, Window::Hour).await.unwrap();
    let [values, reason] = failures.people.as_slice() else { panic!("{:?}", failures.people) };
    assert_eq!((values.label.as_str(), values.people, values.tasks), ("status: not a known value", 3, 1));
    assert_eq!(values.examples, ["Fail", "Withdrawn"], "the value stands in an example alone");
    let like = "status: “…” is not a known value";
    assert_eq!((values.only_reason.as_deref(), values.task_ids.as_slice()), (Some(like), [task].as_slice()));
    let asked = |reason: &str| LedgerQuery { reason: Some(reason.to_owned()), ..LedgerQuery::default() };
    let found = async |reason: &str| {
        let page = c.caseload.tasks().ledger(&c.administrator, task, &asked(reason)).await.unwrap();
        (page.total.value, page.items.iter().map(|line| line.position).collect::<Vec<_>>())
    };
    assert_eq!(found(like).await, (3, vec![2, 3, 4]), "a cause leads to its lines and to no others");
    assert_eq!(found("status: “Fail” is not a known value").await.1, [2, 4]);
    let nothing = c.caseload.tasks().ledger(&c.administrator, task, &asked("grade: “…” is not a known value")).await;
    assert!(nothing.is_err(), "a cause that no line has is refused");
    let short = "Non-participating needs a reason";
    assert_eq!((reason.label.as_str(), reason.only_reason.as_deref()), (short, Some(short)), "without advice");
    let history = c.caseload.admin().history(&c.administrator, Window::Hour, None).await.unwrap();
    let failed = history.failed_people;
    assert_eq!((failed.people.value, failed.lines.value), (4, 4), "they are lines");
}

async fn each_line_has_a_line_in_the_ledger(on: On) {
    let c = College::of(on, 4).await;
    let good: String = (0..90).map(|i| format!("N-{i},Newcomer{i},A\n")).collect();
    let file = format!("id,name,status\n{good}N-1,Again,A\n,Nameless,A\nN-200,Unclear,X\n");
    let task = import(&c, MAPPING, &file).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.title.as_str(), row.state), ("Import spring.csv", TaskState::DoneWithProblems));
    assert_eq!((row.total, row.succeeded, row.failed, row.skipped), (Some(93), 90, 2, 1));
    let query = LedgerQuery { limit: Some(200), ..LedgerQuery::default() };
    let lines = c.caseload.tasks().ledger(&c.administrator, task, &query).await.unwrap().items;
    assert_eq!((lines.len(), lines[0].position, lines[0].after.as_deref()), (93, 2, Some("Created")));
    let repeated = "repeated, the first line of this person was used";
    assert_eq!((lines[90].outcome, lines[90].reason_label.as_deref()), (Some(Outcome::Skipped), Some(repeated)));
    assert!(lines[92].reason_label.as_deref().unwrap().starts_with("status: "), "{:?}", lines[92]);
    assert_eq!(lines[92].name, "Line 94");
    let told = |file: &[(String, String)], name: &str| {
        file.iter().find(|(of, _)| of == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let facts = c.caseload.tasks().get(&c.administrator, task).await.unwrap().facts;
    let counts = ["New people", "People changed", "Unchanged", "Repeated", "Unreadable", "Erased since"];
    assert_eq!(counts.map(|name| told(&facts, name)), ["90", "0", "0", "1", "2", ""]);
    assert_eq!(told(&facts, "File"), "spring.csv");
    assert_eq!(told(&facts, "Matching"), "id → School ID\nname → Last name\nstatus → Program status");
    let again = import(&c, MAPPING, &file.replace("N-0,Newcomer0,A", "N-0,Newcomer0,I")).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, again).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped, row.failed), (1, 90, 2));
    let detail = c.caseload.tasks().get(&c.administrator, again).await.unwrap();
    let sum = "1 person changed, 89 unchanged, 1 repeated line not used, 2 unreadable lines";
    assert_eq!(detail.row.line.as_deref(), Some(sum));
    let submitted = detail.timeline.last().and_then(|event| event.note.as_deref());
    assert_eq!(submitted, Some("93 lines"), "a line is not always a person");
    let facts = detail.facts;
    assert_eq!(counts.map(|name| told(&facts, name)), ["0", "1", "89", "1", "2", ""]);
    c.assert_one_open_status().await;
}

async fn a_quote_that_is_never_closed_fails_its_line_alone(on: On) {
    let c = College::of(on, 4).await;
    let task = import(&c, MAPPING, "id,name,status\nQ-1,Good,A\n\"Q-2,Bad,A\n").await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded, row.failed), (Some(2), 1, 1));
    let lines = c.caseload.tasks().ledger(&c.administrator, task, &LedgerQuery::default()).await.unwrap().items;
    assert_eq!(lines.iter().map(|line| line.position).collect::<Vec<_>>(), [2, 3]);
}

async fn what_docket_exports_it_imports_without_a_change(on: On) {
    let c = College::of(on, 12).await;
    let ids = c.students(&c.manager).await;
    for reason in [ChangeReason::Health, ChangeReason::NoResponse] {
        let action = Action::ProgramStatus(StatusChange {
            program_status: ProgramStatus::NonParticipating,
            change_reason: Some(reason),
            comment: None,
        });
        let one = Target::People(vec![ids[usize::from(reason == ChangeReason::Health)]]);
        c.submit(&c.manager, action, one, 1).await.unwrap();
    }
    c.run().await;
    c.write("UPDATE person SET activated = FALSE WHERE id = $1", [ids[5].into()]).await;
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let task = c.submit(&c.manager, export, Target::Everyone, 12).await.unwrap().id;
    c.run().await;
    let content = exporting::content(&c, task).await;
    let file = String::from_utf8(content).unwrap();
    let task = import(&c, caseload::import::DEFAULT_MAPPING, &file).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.skipped, row.succeeded, row.failed), (12, 0, 0), "{file}");
}

async fn several_rows_of_a_person_come_to_one(on: On) {
    let c = College::of(on, 4).await;
    let mapping = format!("{MAPPING}\n[[collapse]]\ncolumn = \"term\"\nkeep = \"latest\"\n");
    let task =
        import(&c, &mapping, "id,name,status,term\nM-1,Early,A,2013\nM-1,Late,I,2015\nM-1,Middle,A,2014\n").await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped), (1, 2));
    let late =
        "SELECT COUNT(*) FROM person WHERE school_id = 'M-1' AND last_name = 'Late' AND program_status = 'INACTIVE'";
    assert_eq!(c.count(late, []).await, 1);
}

async fn what_is_wrong_with_the_file_is_said_at_once(on: On) {
    let c = College::of(on, 4).await;
    let refused = async |mapping: &str, file: &str| {
        let refused = c.caseload.imports().submit(&c.administrator, "x.csv", mapping, uploaded(&c, file).await).await;
        Problem::from(refused.unwrap_err()).errors[0].field.clone()
    };
    assert_eq!(refused("[person", "id,name,status\n").await, "mapping");
    assert_eq!(refused(MAPPING, "id,name\n1,2\n").await, "file");
    assert_eq!(refused(MAPPING, "").await, "file");
    for actor in [&c.coach, &c.manager] {
        assert_eq!(Problem::from(c.caseload.imports().begin_upload(actor).map(drop).unwrap_err()).status, 403);
        let refused =
            c.caseload.imports().submit(actor, "x.csv", MAPPING, uploaded(&c, "id,name,status\n").await).await;
        assert_eq!(Problem::from(refused.unwrap_err()).status, 403);
        assert!(c.caseload.files().tasks().await.unwrap().is_empty(), "nothing is left of what was refused");
    }
    assert!(caseload::import::DEFAULT_MAPPING.parse::<caseload::import::Mapping>().is_ok());
}

async fn whoever_is_no_administrator_any_more_stops(on: On) {
    let c = College::of(on, 4).await;
    let task = import(&c, MAPPING, "id,name,status\nN-1,Lund,A\n").await;
    c.write("UPDATE account SET role = $1 WHERE username = 'admin'", [Role::Coach.name().into()]).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (TaskState::Failed, 0));
}

async fn a_file_that_was_exchanged_in_the_store_is_not_imported(on: On) {
    let c = College::of(on, 1).await;
    let task = import(&c, MAPPING, "id,name,status\nQ-1,Good,A\n").await;
    let stored = c.folder.path().join(task.to_string()).join("upload.csv");
    std::fs::write(stored, "id,name,status\nQ-1,Exchanged,I\n").unwrap();
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.administrator, task).await.unwrap().row.state, TaskState::Failed);
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'Q-1'", []).await, 0);
}

/// Cut where a block ends, what is left is what was written, as far as it goes.
async fn a_file_that_was_cut_off_in_the_store_is_not_imported_as_if_it_were_whole(on: On) {
    let c = College::of(on, 1).await;
    let task = import(&c, MAPPING, &long_file(600, |n| format!("N-{n:04},Newcomer,A,1"))).await;
    let stored = c.folder.path().join(task.to_string()).join("upload.csv");
    std::fs::File::options().write(true).open(stored).unwrap().set_len(256 * 1024).unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (TaskState::Failed, 0));
}

/// More rows than fit one batch, with the rest of the line left unused.
fn long_file(rows: usize, row: impl Fn(usize) -> String) -> String {
    let mut file = "id,name,status,term,rest\n".to_owned();
    for n in 0..rows {
        writeln!(file, "{},{}", row(n), "x".repeat(900)).unwrap();
    }
    file
}

async fn an_import_goes_on_at_its_line_after_a_failure_and_reads_no_line_twice(on: On) {
    let c = College::of(on, 4).await;
    let person = c.students(&c.manager).await[0];
    let known = c.caseload.people().get(&c.manager, person).await.unwrap().row.school_id.unwrap();
    let file = long_file(1_400, |n| match n {
        1_300 => format!("{known},Known,I,1"),
        n => format!("N-{n:04},Newcomer,A,1"),
    });
    refuse(&c, "not_yet", person).await;
    let task = import(&c, MAPPING, &file).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert!((1_200..1_300).contains(&row.succeeded) && row.state != TaskState::Done, "{row:?}");
    // What has been treated is not looked at again: somebody exchanged it meanwhile, which would be seen.
    let at = c.folder.path().join(task.to_string()).join("upload.csv");
    let line = |number: usize| file.match_indices('\n').nth(number).unwrap().0;
    let treated = file[line(300)..line(800)].replace("N-", "X-");
    std::fs::write(&at, [&file[..line(300)], treated.as_str(), &file[line(800)..]].concat()).unwrap();
    c.write(if c.test.db.is_postgres() { "DROP TRIGGER not_yet ON person" } else { "DROP TRIGGER not_yet" }, []).await;
    c.test.clock.advance(std::time::Duration::from_secs(3_600));
    if c.caseload.tasks().get(&c.administrator, task).await.unwrap().row.state == TaskState::Failed {
        c.caseload.tasks().retry(&c.administrator, task, None).await.unwrap();
    }
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.state, row.total, row.succeeded), (TaskState::Done, Some(1_400), 1_400), "{row:?}");
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id LIKE 'X-%'", []).await, 0);
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id LIKE 'N-%'", []).await, 1_399);
}

async fn rows_of_a_person_that_are_far_apart_come_to_one(on: On) {
    let c = College::of(on, 4).await;
    let mapping = format!("{MAPPING}\n[[collapse]]\ncolumn = \"term\"\nkeep = \"latest\"\n");
    // Each of 200 people three times, in three batches, the latest in the middle.
    let file = long_file(600, |n| format!("M-{:03},Term{},A,{}", n % 200, n / 200, [2013, 2015, 2014][n / 200]));
    let task = import(&c, &mapping, &file).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.state, row.total, row.succeeded, row.skipped), (TaskState::Done, Some(600), 200, 400));
    assert_eq!(
        c.count("SELECT COUNT(*) FROM person WHERE school_id LIKE 'M-%' AND last_name = 'Term1'", []).await,
        200
    );
    assert_eq!(c.count("SELECT COUNT(*) FROM import_choice", []).await, 0, "nothing is kept of what was found out");
}

async fn a_second_row_of_a_person_does_not_count_however_far_from_the_first(on: On) {
    let c = College::of(on, 4).await;
    let task = import(&c, MAPPING, &long_file(600, |n| format!("R-{:03},Row{n},A,1", n % 300))).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded, row.skipped), (Some(600), 300, 300));
    let query =
        LedgerQuery { limit: Some(200), after: None, outcome: "SKIPPED".parse().ok(), ..LedgerQuery::default() };
    let line = c.caseload.tasks().ledger(&c.administrator, task, &query).await.unwrap().items.remove(0);
    assert_eq!((line.position, line.outcome, line.reason.as_deref()), (302, Some(Outcome::Skipped), Some("REPEATED")));
}

async fn a_row_that_never_ends_fails_the_file_and_not_the_memory(on: On) {
    let c = College::of(on, 4).await;
    let file = format!("id,name,status\nQ-1,Good,A\n\"Q-2,{}", "x,A\n".repeat(800_000));
    let task = import(&c, MAPPING, &file).await;
    c.run().await;
    let detail = c.caseload.tasks().get(&c.administrator, task).await.unwrap();
    assert_eq!((detail.row.state, detail.row.succeeded), (TaskState::Failed, 1));
    let attempts = c.caseload.admin().task(&c.administrator, task).await.unwrap().attempts;
    let why = attempts.iter().filter_map(|attempt| attempt.detail.as_deref()).collect::<String>();
    assert!(why.contains("The quote that opens in line 3 is not closed within 2 MB"), "{why}");
}
