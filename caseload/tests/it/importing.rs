//! Import as a task: each line of the file has a line in the ledger, and a second import changes nothing.

use bytes::Bytes;
use model::{Action, ChangeReason, LedgerQuery, Problem, ProgramStatus, Role, Target, TaskState, action::StatusChange};
use testkit::On;

use crate::{college::College, exporting};

testkit::on_both!(
    each_line_has_a_line_in_the_ledger,
    several_rows_of_a_person_come_to_one,
    what_is_wrong_with_the_file_is_said_at_once,
    whoever_is_no_administrator_any_more_stops,
    a_quote_that_is_never_closed_fails_its_line_alone,
    what_docket_exports_it_imports_without_a_change,
);

const MAPPING: &str = r#"
    [person]
    school_id = "id"
    last_name = "name"
    program_status = { column = "status", values = { A = "ACTIVE", I = "INACTIVE" } }
"#;

async fn import(c: &College, mapping: &str, file: &str) -> uuid::Uuid {
    let content = Bytes::from(file.to_owned());
    c.caseload.import(&c.administrator, "spring.csv", mapping, content).await.unwrap().id
}

async fn each_line_has_a_line_in_the_ledger(on: On) {
    let c = College::of(on, 4).await;
    let good: String = (0..90).map(|i| format!("N-{i},Newcomer{i},A\n")).collect();
    let file = format!("id,name,status\n{good}N-1,Again,A\n,Nameless,A\nN-200,Unclear,X\n");
    let task = import(&c, MAPPING, &file).await;
    c.run().await;
    let row = c.caseload.task(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.title.as_str(), row.state), ("Import spring.csv", TaskState::DoneWithProblems));
    assert_eq!((row.total, row.succeeded, row.failed, row.skipped), (Some(93), 90, 3, 0));
    let query = LedgerQuery { limit: Some(200), ..LedgerQuery::default() };
    let lines = c.caseload.ledger(&c.administrator, task, &query).await.unwrap().items;
    assert_eq!((lines.len(), lines[0].position, lines[0].after.as_deref()), (93, 2, Some("Created")));
    assert!(lines[90].reason_label.as_deref().unwrap().contains("is in line 3 already"), "{:?}", lines[90]);
    assert!(lines[92].reason_label.as_deref().unwrap().starts_with("status: "), "{:?}", lines[92]);
    assert_eq!(lines[92].name, "Line 94");
    let again = import(&c, MAPPING, &file.replace("N-0,Newcomer0,A", "N-0,Newcomer0,I")).await;
    c.run().await;
    let row = c.caseload.task(&c.administrator, again).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped, row.failed), (1, 89, 3));
    c.assert_one_open_status().await;
}

async fn a_quote_that_is_never_closed_fails_its_line_alone(on: On) {
    let c = College::of(on, 4).await;
    let task = import(&c, MAPPING, "id,name,status\nQ-1,Good,A\n\"Q-2,Bad,A\n").await;
    c.run().await;
    let row = c.caseload.task(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded, row.failed), (Some(2), 1, 1));
    let lines = c.caseload.ledger(&c.administrator, task, &LedgerQuery::default()).await.unwrap().items;
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
    let task = import(&c, caseload::import::USUAL_MAPPING, &file).await;
    c.run().await;
    let row = c.caseload.task(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.skipped, row.succeeded, row.failed), (12, 0, 0), "{file}");
}

async fn several_rows_of_a_person_come_to_one(on: On) {
    let c = College::of(on, 4).await;
    let mapping = format!("{MAPPING}\n[[collapse]]\ncolumn = \"term\"\nkeep = \"latest\"\n");
    let task =
        import(&c, &mapping, "id,name,status,term\nM-1,Early,A,2013\nM-1,Late,I,2015\nM-1,Middle,A,2014\n").await;
    c.run().await;
    let row = c.caseload.task(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped), (1, 2));
    let late =
        "SELECT COUNT(*) FROM person WHERE school_id = 'M-1' AND last_name = 'Late' AND program_status = 'INACTIVE'";
    assert_eq!(c.count(late, []).await, 1);
}

async fn what_is_wrong_with_the_file_is_said_at_once(on: On) {
    let c = College::of(on, 4).await;
    let refused = async |mapping: &str, file: &str| {
        let content = Bytes::from(file.to_owned());
        let refused = c.caseload.import(&c.administrator, "x.csv", mapping, content).await;
        Problem::from(refused.unwrap_err()).errors[0].field.clone()
    };
    assert_eq!(refused("[person", "id,name,status\n").await, "mapping");
    assert_eq!(refused(MAPPING, "id,name\n1,2\n").await, "file");
    assert_eq!(refused(MAPPING, "").await, "file");
    for actor in [&c.coach, &c.manager] {
        let refused = c.caseload.import(actor, "x.csv", MAPPING, Bytes::from("id,name,status\n")).await;
        assert_eq!(Problem::from(refused.unwrap_err()).status, 403);
    }
    assert!(caseload::import::USUAL_MAPPING.parse::<caseload::import::Mapping>().is_ok());
}

async fn whoever_is_no_administrator_any_more_stops(on: On) {
    let c = College::of(on, 4).await;
    let task = import(&c, MAPPING, "id,name,status\nN-1,Lund,A\n").await;
    c.write("UPDATE account SET role = $1 WHERE username = 'admin'", [Role::Coach.name().into()]).await;
    c.run().await;
    let row = c.caseload.task(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (TaskState::Failed, 0));
}
