//! Pages about many people read no more of them than they show or count: the plan of every statement, with fresh statistics
//! and with none.

use model::{PeopleFilter, PeopleQuery, ProgramStatus, Scope, Sort, filter::FilterField};
use sea_orm::Statement;
use testkit::On;

use crate::{
    college::{College, everyone, with_status},
    crowd::{crowd, keep_statements, plan},
};

testkit::on_both!(
    the_choices_of_filters_are_found_without_reading_everybody,
    everybody_is_counted_without_being_read,
    two_filters_at_once_read_nobody_to_count_them,
    every_filter_counts_as_many_as_there_are,
);

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
    for statistics in [false, true] {
        let c = crowd(on, statistics).await;
        let kept = keep_statements(&c);
        for (field, many) in [
            (FilterField::Coach, 2),
            (FilterField::HomeCampus, 6),
            (FilterField::Major, 25),
            (FilterField::StartTerm, 8),
        ] {
            assert_eq!(c.caseload.filter_choices(field, "").await.unwrap().found.len(), many);
        }
        assert_none_reads_everybody(&c, &kept.statements()).await;
    }
}

/// Each page of people says how many there are, on a tab and above the list: on SQLite it read them all, twice.
async fn everybody_is_counted_without_being_read(on: On) {
    for statistics in [false, true] {
        let c = crowd(on, statistics).await;
        let kept = keep_statements(&c);
        c.caseload.scope_counts(&c.manager).await.unwrap();
        let statements = kept.statements();
        let counts: Vec<_> = statements.iter().filter(|statement| statement.sql.contains("WHERE p.student")).collect();
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
    for statistics in [false, true] {
        let c = crowd(on, statistics).await;
        let kept = keep_statements(&c);
        for filter in [&few, &many, &no_status] {
            let query = PeopleQuery { filter: filter.clone(), ..PeopleQuery::default() };
            assert_eq!(c.caseload.people(&c.manager, &query).await.unwrap().items.len(), 25);
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
    let c = crowd(on, true).await;
    let term =
        |filter: PeopleFilter| PeopleFilter { start_term: vec!["Term 2".to_owned(), "Term 5".to_owned()], ..filter };
    let mine = PeopleFilter { scope: Some(Scope::Caseload), ..PeopleFilter::default() };
    let found = PeopleFilter { q: "C1234".to_owned(), ..everyone() };
    let asked = [
        (campus("Campus 3"), "home_campus = 'Campus 3'"),
        (with_status(ProgramStatus::Transitioned), "program_status = 'TRANSITIONED'"),
        (term(campus("Campus 1")), "home_campus = 'Campus 1' AND start_term IN ('Term 2', 'Term 5')"),
        (
            PeopleFilter { coach: vec![c.coach.person_id], ..term(with_status(ProgramStatus::Transitioned)) },
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
        for sort in [Sort::Name, Sort::NameDescending, Sort::SchoolId] {
            let (mut ids, mut after) = (std::collections::BTreeSet::new(), None);
            for _ in 0..3 {
                let query = PeopleQuery { filter: filter.clone(), sort: Some(sort), limit: Some(200), after };
                let page = c.caseload.people(actor, &query).await.unwrap();
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
