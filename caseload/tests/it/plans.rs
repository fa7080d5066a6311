//! Pages about many people read no more of them, and of what was done to them, than they show or count: the plan of every
//! statement, with fresh statistics and with none.

use model::{PeopleFilter, PeopleQuery, PersonColumn, ProgramStatus, Scope, Sort, Target, filter::FilterField};
use sea_orm::Statement;
use testkit::On;

use crate::{
    college::{College, everyone, set, with_status},
    many_people::{crowd, keep_statements, plan},
};

testkit::on_both!(
    the_choices_of_filters_are_found_without_reading_everybody,
    everybody_is_counted_without_being_read,
    two_filters_at_once_read_nobody_to_count_them,
    every_filter_counts_as_many_as_there_are,
    the_next_by_school_id_are_found_however_far_they_are,
    what_is_pending_is_found_without_reading_what_was_done,
);

const BY_SCHOOL_ID: Sort = Sort::by(PersonColumn::SchoolId);

/// Steps that go through everybody, whatever for.
fn reads_everybody(plan: &str) -> bool {
    let scans = |step: &str| {
        let step = step.trim_start_matches([' ', '-', '>']);
        step.starts_with("Seq Scan on person")
            || step.starts_with("SCAN") && (step.contains("person") || step.starts_with("SCAN c ") || step == "SCAN p")
    };
    plan.lines().any(scans)
}

async fn assert_none_reads_everybody(c: &College, statements: &[Statement]) {
    for statement in statements.iter().filter(|statement| statement.sql.contains("person")) {
        let plan = plan(c, statement).await;
        assert!(!reads_everybody(&plan), "{}\n{plan}", statement.sql);
    }
}

async fn the_choices_of_filters_are_found_without_reading_everybody(on: On) {
    let c = crowd(on).await;
    let kept = keep_statements(&c);
    for statistics in [false, true] {
        if statistics {
            c.test.analyze().await.unwrap();
        }
        for (field, many) in [
            (FilterField::Coach, 2),
            (FilterField::HomeCampus, 6),
            (FilterField::Major, 25),
            (FilterField::StartTerm, 8),
        ] {
            assert_eq!(c.caseload.people().filter_choices(field, "").await.unwrap().found.len(), many);
        }
        assert_none_reads_everybody(&c, &kept.statements()).await;
    }
}

/// Each page of people says how many there are, on a tab and above the list: on SQLite it read them all, twice.
async fn everybody_is_counted_without_being_read(on: On) {
    let c = crowd(on).await;
    let kept = keep_statements(&c);
    for statistics in [false, true] {
        if statistics {
            c.test.analyze().await.unwrap();
        }
        c.caseload.people().scope_counts(&c.manager).await.unwrap();
        let statements = kept.statements();
        let counts: Vec<_> =
            statements.iter().filter(|statement| statement.sql.contains("WHERE \"p\".\"student\"")).collect();
        assert!(!counts.is_empty(), "{statements:?}");
        for count in counts.iter().filter(|_| on == On::Sqlite) {
            let plan = plan(&c, count).await;
            assert!(plan.contains("USING COVERING INDEX person_student"), "{}\n{plan}", count.sql);
        }
    }
}

fn campus(name: &str) -> PeopleFilter {
    PeopleFilter { home_campus: vec![name.to_owned()], ..everyone() }
}

async fn two_filters_at_once_read_nobody_to_count_them(on: On) {
    let few = PeopleFilter { program_status: vec![ProgramStatus::Transitioned], ..campus("Campus 3") };
    let many = PeopleFilter { program_status: vec![ProgramStatus::Active], ..campus("Campus 3") };
    let no_status = PeopleFilter { major: vec!["Major 7".to_owned()], ..campus("Campus 3") };
    let c = crowd(on).await;
    let kept = keep_statements(&c);
    for statistics in [false, true] {
        if statistics {
            c.test.analyze().await.unwrap();
        }
        for filter in [&few, &many, &no_status] {
            let query = PeopleQuery { filter: filter.clone(), ..PeopleQuery::default() };
            assert_eq!(c.caseload.people().list(&c.manager, &query).await.unwrap().items.len(), 25);
            let statements = kept.statements();
            let [count, page, ..] = statements.as_slice() else { panic!("{statements:?}") };
            let (counts, pages) = (plan(&c, count).await, plan(&c, page).await);
            match on {
                // Indexes only; one of names may be walked along for a page, until it is full.
                On::Sqlite => {
                    let steps = |step: &&str| step.contains(" p ") || step.contains(" k ");
                    for step in counts.lines().filter(steps) {
                        let asks = step.contains("COVERING INDEX") || step.contains("person_student (id=?)");
                        assert!(step.starts_with("SEARCH") && asks, "{}\n{counts}", count.sql);
                    }
                    let reads_rows =
                        |step: &str| step.contains("p USING INDEX") || step.starts_with("SCAN p USING PRIMARY");
                    assert!(!pages.lines().any(reads_rows), "{}\n{pages}", page.sql);
                }
                On::Postgres if filter.program_status != [ProgramStatus::Active] => {
                    assert!(!reads_everybody(&counts), "{}\n{counts}", count.sql);
                }
                On::Postgres => {}
            }
        }
    }
}

/// The ways in which databases are told to go about it give the same people.
async fn every_filter_counts_as_many_as_there_are(on: On) {
    let c = crowd(on).await;
    c.test.analyze().await.unwrap();
    let term =
        |filter: PeopleFilter| PeopleFilter { start_term: vec!["Term 2".to_owned(), "Term 5".to_owned()], ..filter };
    let mine = PeopleFilter { scope: Some(Scope::Caseload), ..PeopleFilter::default() };
    let found = PeopleFilter { q: "C1234".to_owned(), ..everyone() };
    let asked = [
        (campus("Campus 3"), "home_campus = 'Campus 3'"),
        (with_status(ProgramStatus::Transitioned), "program_status = 'TRANSITIONED'"),
        (term(campus("Campus 1")), "home_campus = 'Campus 1' AND start_term IN ('Term 2', 'Term 5')"),
        (
            PeopleFilter { coach: vec![c.coach.person_id.person()], ..term(with_status(ProgramStatus::Transitioned)) },
            "program_status = 'TRANSITIONED' AND start_term IN ('Term 2', 'Term 5')
             AND coach_id = (SELECT person_id FROM account WHERE username = 'coach')",
        ),
        (
            PeopleFilter { home_campus: vec!["Campus 2".to_owned()], ..found },
            "school_key LIKE 'c1234%' AND home_campus = 'Campus 2'",
        ),
    ];
    let check = async |actor: &caseload::Actor, filter: PeopleFilter, truth: &str| {
        let there = c.count(&format!("SELECT COUNT(*) FROM person WHERE student AND {truth}"), []).await.unsigned_abs();
        for sort in [Sort::NAME, Sort::NAME.reversed(), BY_SCHOOL_ID] {
            let (mut ids, mut after) = (std::collections::BTreeSet::new(), None);
            for _ in 0..3 {
                let query = PeopleQuery { filter: filter.clone(), sort: Some(sort), limit: Some(200), after };
                let page = c.caseload.people().list(actor, &query).await.unwrap();
                let most = if filter.is_everyone() { 100_000 } else { 10_000 };
                assert_eq!(page.total.value, there.min(most), "{truth}");
                ids.extend(page.items.iter().map(|row| row.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(ids.len() as u64, there.min(600), "{truth} by {sort}");
        }
    };
    for (filter, truth) in asked {
        check(&c.manager, filter, truth).await;
    }
    let whose = "coach_id = (SELECT person_id FROM account WHERE username = 'coach')";
    check(&c.coach, mine.clone(), whose).await;
    let narrowed = PeopleFilter { home_campus: vec!["Campus 4".to_owned()], ..mine };
    check(&c.coach, narrowed, &format!("home_campus = 'Campus 4' AND {whose}")).await;
}

/// Statistics as they usually are: PostgreSQL gathers them by itself, and SQLite has none.
async fn usual_statistics(c: &College) {
    if c.test.db.is_postgres() {
        c.test.analyze().await.unwrap();
    }
}

/// School ids follow terms: along the list of the ones, all of one of the others may be at its other end.
async fn the_next_by_school_id_are_found_however_far_they_are(on: On) {
    let c = crowd(on).await;
    let late = c.write("UPDATE person SET start_term = 'Late' WHERE school_key >= 'c8'", []).await;
    assert!(late > 10_000, "more than are counted: {late}");
    usual_statistics(&c).await;
    let filter = PeopleFilter { start_term: vec!["Late".to_owned()], ..everyone() };
    let kept = keep_statements(&c);
    for (sort, first) in [(BY_SCHOOL_ID, "C8"), (BY_SCHOOL_ID.reversed(), "C99999")] {
        let query = PeopleQuery { filter: filter.clone(), sort: Some(sort), ..PeopleQuery::default() };
        let page = c.caseload.people().list(&c.manager, &query).await.unwrap();
        let ids: Vec<String> = page.items.into_iter().filter_map(|row| row.school_id).collect();
        assert_eq!((ids.len(), ids[0].as_str()), (25, first), "{sort}");
        let next = PeopleQuery { after: page.next, ..query };
        let next = c.caseload.people().list(&c.manager, &next).await.unwrap();
        let second = next.items[0].school_id.as_ref().unwrap();
        assert!(if sort == BY_SCHOOL_ID { second > &ids[24] } else { second < &ids[24] }, "{second} after {ids:?}");
    }
    for statement in kept.statements().iter().filter(|statement| statement.sql.contains("ORDER BY")) {
        let plan = plan(&c, statement).await;
        let walks = plan.contains("person_school_key") && !statement.sql.contains("OFFSET 10000");
        assert!(!walks, "{}\n{plan}", statement.sql);
    }
}

/// Tasks that are over, each about one person.
async fn add_history(c: &College) {
    c.write(
        "INSERT INTO queued_task (id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
            execution_component_name, execution_spec, execution_state, workflow_status, workflow_stopped_date, trigger_date,
            attempt, progressed, failures, max_failures, crashes, rescued, priority, succeeded, skipped, failed, uncertain,
            held, in_line, total)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
         SELECT {postgres:gen_random_uuid()}{sqlite:randomblob(16)}, -n, {now}, $1, {now}, $1, $1, $1, 'program-status',
            '{' || '}', '{' || '}', 'COMPLETED', {now}, {now}, 1, TRUE, 0, 5, 0, FALSE, 0, 1, 0, 0, 0, FALSE, FALSE, 1
         FROM numbers",
        [c.other_coach.person_id.into()],
    )
    .await;
    c.write(
        "INSERT INTO task_person (task_id, position, person_id, outcome, outcome_date)
         SELECT t.id, 1, p.id, 'DONE', {now} FROM queued_task t JOIN person p ON p.school_id = 'C' || (-t.submit_order)",
        [],
    )
    .await;
}

/// Whether a step of a plan of SQLite goes along all tasks or lines that there ever were, or along all of one owner.
fn reads_what_was_done(step: &str) -> bool {
    let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
    let all = matches!(scanned, Some("queued_task" | "task_person" | "pending" | "line" | "task" | "tp" | "t"));
    let is_open =
        ["queued_task_due", "queued_task_process", "queued_task_unapproved"].iter().any(|of| step.contains(of));
    all && !is_open || step.contains("queued_task_owner")
}

/// It was found out from all lines of all tasks, or from all tasks of somebody.
async fn what_is_pending_is_found_without_reading_what_was_done(on: On) {
    let c = crowd(on).await;
    add_history(&c).await;
    usual_statistics(&c).await;
    let query = PeopleQuery { filter: campus("Campus 3"), ..PeopleQuery::default() };
    // All of this campus are the other coach's.
    let page = c.caseload.people().list(&c.other_coach, &query).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|row| row.id).collect();
    let four = Target::People(ids[..4].to_vec());
    let task = c.submit(&c.other_coach, set(ProgramStatus::NoShow), four, 4).await.unwrap().id;
    let few = Target::People(ids[2..6].to_vec());
    let many = Target::Query { filter: campus("Campus 3"), exclude: vec![ids[0]] };
    let kept = keep_statements(&c);
    for lines in ["few", "many"] {
        if lines == "many" {
            // As if it had written down so many that it is better to ask for each of these people.
            let sql = "UPDATE queued_task SET total = 10000000, attempt = 1 WHERE id = $1";
            c.write(sql, [task.into()]).await;
        }
        for (target, number) in [(&few, 2), (&many, 3)] {
            let preview =
                c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
            let token = preview.preview_token;
            let shown =
                c.caseload.actions().preview_people(&c.manager, token, Some("PENDING"), None).await.unwrap().page;
            assert_eq!((preview.pending_elsewhere, shown.total.value), (number, number), "{lines} lines");
            assert_eq!(shown.items.len() as u64, number);
        }
    }
    let page = c.caseload.people().list(&c.other_coach, &query).await.unwrap();
    assert_eq!(page.items.iter().filter(|row| row.pending.is_some()).count(), 4);
    let tasks = c.caseload.people().tasks_of(&c.other_coach, ids[0]).await.unwrap();
    assert_eq!(tasks[0].task.id, task);
    let kept = kept.statements();
    let both = |statement: &&Statement| {
        statement.sql.contains("queued_task")
            && statement.sql.contains("SELECT")
            && statement.sql.contains("task_person")
    };
    let looks: Vec<&Statement> = kept.iter().filter(both).collect();
    assert!(looks.len() >= 10, "{kept:?}");
    for look in looks.into_iter().filter(|_| on == On::Sqlite) {
        let plan = plan(&c, look).await;
        assert!(!plan.lines().any(reads_what_was_done), "{}\n{plan}", look.sql);
    }
}
