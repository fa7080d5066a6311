//! People from a file: what is imported, what is refused, and that a second time changes nothing.

use caseload::{
    SYSTEM_PERSON,
    import::{ImportError, Mapping, Report, import},
};
use model::Instant;
use queue::Database;
use sea_orm::{ConnectionTrait, TryGetable};
use std::time::Duration;
use testkit::{On, TestDb, on_both};

const OULAD: &str = include_str!("../../mappings/oulad.toml");
const SAMPLE: &str = include_str!("../data/oulad-sample.csv");

const PLAIN: &str = r#"
    [person]
    school_id = "id"
    first_name = "first"
    last_name = "last"
    primary_email = "email"
    birth_date = "born"
    coach = "coach"
    program_status = "status"
    change_reason = "reason"
    [extra]
    note = "note"
"#;
const HEADER: &str = "id,first,last,email,born,coach,status,reason,note\n";

on_both!(
    a_sample_collapses_and_a_second_import_changes_nothing,
    bad_rows_are_listed_by_line_and_the_rest_is_imported,
    a_change_of_status_closes_the_open_row_and_opens_the_next,
    a_mapping_speaks_only_of_what_it_names,
    a_missing_column_stops_it_before_anything_is_written,
    more_people_than_a_batch_are_written_in_several,
    what_stands_between_the_cells_is_guessed_or_said,
    the_real_data_set,
);

async fn a_sample_collapses_and_a_second_import_changes_nothing(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let report = run(&test.db, OULAD, SAMPLE).await;
    let expected = Report { rows: 8, people: 4, created: 4, ..Report::default() };
    assert_eq!(report, expected);
    let people =
        "SELECT string_agg(school_id || ' ' || declared_major || ' ' || start_term || ' ' || program_status || ' '
        || coalesce(change_reason, '-'), ', ' ORDER BY school_id) FROM person WHERE student";
    assert_eq!(
        one::<String>(&test.db, people).await,
        "900001 AAA 2013J ACTIVE -, 900002 BBB 2014J ACTIVE -, 900003 EEE 2014J INACTIVE -, \
         900004 FFF 2014B NON_PARTICIPATING ACADEMIC_PROGRESS"
    );
    let marked =
        "SELECT count(*) FROM person WHERE extra LIKE '%\"Invented\":true%' AND primary_email LIKE '%@example.org'";
    assert_eq!(one::<i64>(&test.db, marked).await, 4);

    let first = one::<Instant>(&test.db, "SELECT max(modified_date) FROM person").await;
    test.clock.advance(Duration::from_secs(60));
    // The rows in another order, with the line ends of another system.
    let mut lines: Vec<&str> = SAMPLE.lines().collect();
    lines[1..].reverse();
    let report = run(&test.db, OULAD, &lines.join("\r\n")).await;
    assert_eq!(report, Report { created: 0, unchanged: 4, ..expected });
    assert_eq!(one::<Instant>(&test.db, "SELECT max(modified_date) FROM person").await, first);
    assert_history(&test.db, 4).await;
}

async fn bad_rows_are_listed_by_line_and_the_rest_is_imported(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let file = format!(
        "{HEADER}1,Ana,García,ana@example.org,2004-02-29,,ACTIVE,,\n\
         2,Bo,Li,bo@@example.org,,,ACTIVE,,\n\
         3,Cy,O'Neil,,29/02/2004,,ACTIVE,,\n\
         \n\
         ,Di,Moe,,,,ACTIVE,,\n\
         5,Ed,Noe,,,,ENROLLED,,\"two\nlines\"\n\
         6,Fay,Poe,,,,NON_PARTICIPATING,,\n\
         7,Gil,Roe,gil@example.org,,,NON_PARTICIPATING,HEALTH,\n"
    );
    let report = run(&test.db, PLAIN, &file).await;
    assert_eq!((report.rows, report.people, report.created, report.bad_count), (7, 2, 2, 5));
    let bad: Vec<String> = report.bad.iter().map(|bad| format!("{} {}", bad.line, bad.reason)).collect();
    assert_eq!(
        bad[..3],
        [
            "3 email: “bo@@example.org” is not an email address",
            "4 born: “29/02/2004” is not a date like 2004-02-29",
            "6 id: the school ID is missing",
        ]
    );
    assert!(bad[3].starts_with("7 status: “ENROLLED” is not one of ACTIVE"), "{}", bad[3]);
    assert_eq!(bad[4], "9 reason: Non-participating needs a reason");
    let born = "SELECT count(*) FROM person WHERE birth_date = '2004-02-29' AND sort_key = 'garcia ana'";
    assert_eq!(one::<i64>(&test.db, born).await, 1);
}

async fn a_change_of_status_closes_the_open_row_and_opens_the_next(on: On) {
    let test = TestDb::new(on).await.unwrap();
    run(&test.db, OULAD, SAMPLE).await;
    test.clock.advance(Duration::from_secs(60));
    let report = run(&test.db, OULAD, &SAMPLE.replace("240,N,Pass", "240,N,Fail")).await;
    assert_eq!((report.updated, report.unchanged), (1, 3));
    assert_history(&test.db, 5).await;
    let meeting = "SELECT count(*) FROM program_status_history old
        JOIN program_status_history new ON new.person_id = old.person_id AND new.effective_date = old.expiration_date
        JOIN person ON person.id = new.person_id AND person.status_date = new.effective_date
        WHERE old.program_status = 'ACTIVE' AND new.change_reason = 'ACADEMIC_PROGRESS' AND new.expiration_date IS NULL";
    assert_eq!(one::<i64>(&test.db, meeting).await, 1);
}

async fn a_mapping_speaks_only_of_what_it_names(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let coach = "C1,Cora,Kane,,,,ACTIVE,,\n";
    run(&test.db, PLAIN, &format!("{HEADER}{coach}")).await;
    let report =
        run(&test.db, PLAIN, &format!("{HEADER}1,Ana,Ek,a@b.org,,SYSTEM,ACTIVE,,kept\n2,Bo,Li,,,C9,ACTIVE,,\n")).await;
    assert_eq!(report.bad[0].reason, "coach: no member of staff has the school ID “C9”, and a file adds none");
    let report = run(&test.db, PLAIN, &format!("{HEADER}SYSTEM,Ana,Ek,,,,ACTIVE,,\n")).await;
    assert_eq!(report.bad[0].reason, "id: “SYSTEM” is a member of staff");

    let bare = "person = { school_id = 'id', last_name = 'last', program_status = { value = 'ACTIVE' } }";
    let report = run(&test.db, bare, "id,last\n1,Ekberg\n1,Ek\n").await;
    assert_eq!((report.updated, report.bad_count, report.repeated_count), (1, 0, 1));
    assert_eq!(report.repeated[0].reason, "“1” is already in line 2");
    let kept = "SELECT count(*) FROM person JOIN person coach ON coach.id = person.coach_id
        WHERE person.sort_key = 'ekberg ana' AND person.email_key = 'a@b.org' AND person.extra = '{\"note\":\"kept\"}'";
    assert_eq!(one::<i64>(&test.db, kept).await, 1);
    assert_history(&test.db, 2).await;
}

async fn a_missing_column_stops_it_before_anything_is_written(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let mapping: Mapping = OULAD.parse().unwrap();
    let refused = import(&test.db, SAMPLE.replacen("region", "area", 1).as_bytes(), &mapping).await;
    let Err(ImportError::Header(text)) = refused else { panic!("{refused:?}") };
    assert_eq!(text, "The file has no column “region”.");
    assert_eq!(one::<i64>(&test.db, "SELECT count(*) FROM person").await, 0);
}

async fn more_people_than_a_batch_are_written_in_several(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let rows = (0..4_501).map(|n| format!("P{n},First{n},Last{n},,,,ACTIVE,,\n"));
    let file = format!("{HEADER}{}", rows.collect::<String>());
    assert_eq!(run(&test.db, PLAIN, &file).await.created, 4_501);
    assert_eq!(run(&test.db, PLAIN, &file).await.unchanged, 4_501);
    assert_history(&test.db, 4_501).await;
}

async fn what_stands_between_the_cells_is_guessed_or_said(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let bare = "person = { school_id = 'id', last_name = 'last', program_status = { value = 'ACTIVE' } }";
    let report = run(&test.db, bare, "id;last\n1;\"Li; Bo\"\n2;\"Ek\n").await;
    assert_eq!((report.rows, report.created), (2, 1));
    assert_eq!(report.bad[0].reason, "the quote that opens in line 3 is never closed, so nothing after it is read");
    let said = format!("separator = 'tab'\n{bare}");
    let report = run(&test.db, &said, "id\tlast\n3\tA;B,C\n").await;
    assert_eq!(report.created, 1);
}

async fn the_real_data_set(on: On) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/oulad/studentInfo.csv");
    let Ok(file) = std::fs::File::open(path) else {
        return testkit::not_run_here(&format!("import::the_real_data_set on {on:?}"), "the data beside the checkout");
    };
    let test = TestDb::new(on).await.unwrap();
    let mapping: Mapping = OULAD.parse().unwrap();
    let report = import(&test.db, file, &mapping).await.unwrap();
    assert_eq!(report, Report { rows: 32_593, people: 28_785, created: 28_785, ..Report::default() });
    for (status, count) in [("ACTIVE", 13_968), ("NON_PARTICIPATING", 6_605), ("INACTIVE", 8_212)] {
        let sql = format!("SELECT count(*) FROM person WHERE program_status = '{status}'");
        assert_eq!(one::<i64>(&test.db, &sql).await, count, "{status}");
    }
    let addresses = "SELECT count(DISTINCT primary_email) FROM person WHERE student";
    assert_eq!(one::<i64>(&test.db, addresses).await, 28_785);
    let again = import(&test.db, std::fs::File::open(path).unwrap(), &mapping).await.unwrap();
    assert_eq!(again, Report { rows: 32_593, people: 28_785, unchanged: 28_785, ..Report::default() });
    assert_history(&test.db, 28_785).await;
}

async fn run(db: &Database, mapping: &str, csv: &str) -> Report {
    import(db, csv.as_bytes(), &mapping.parse().unwrap()).await.unwrap()
}

/// That many rows in all, by the system and no task; one open row for each student, which says what the person says.
async fn assert_history(db: &Database, rows: i64) {
    let written = "SELECT count(*) FROM program_status_history WHERE task_id IS NULL AND created_by = $1";
    let row = db.reader().query_one_raw(db.statement(written, [SYSTEM_PERSON.into()])).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), rows);
    let wrong = "SELECT count(*) FROM person WHERE student AND 1 <> (SELECT count(*) FROM program_status_history open
        WHERE open.person_id = person.id AND open.expiration_date IS NULL AND open.program_status = person.program_status
        AND open.effective_date = person.status_date
        AND coalesce(open.change_reason, '') = coalesce(person.change_reason, ''))";
    assert_eq!(one::<i64>(db, wrong).await, 0);
}

async fn one<T: TryGetable>(db: &Database, sql: &str) -> T {
    let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
