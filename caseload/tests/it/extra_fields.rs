//! Filters by what an import keeps of people beyond the known fields.

use model::{ListLook, PeopleFilter, PeopleQuery, PersonId, ProgramStatus, Target, extra_fields::ExtraFields};
use testkit::On;

use crate::{
    college::{College, everyone, set},
    importing::uploaded,
    many_people::{crowd, keep_statements, plan},
    watching::WATCH,
};

testkit::on_both!(
    people_are_found_by_a_field_that_an_import_keeps,
    everybody_of_a_value_can_be_selected_changed_and_kept_as_a_view,
    of_whoever_is_beyond_reach_an_extra_field_tells_nothing,
    nothing_of_an_extra_field_is_left_of_whoever_was_erased,
    an_extra_field_is_counted_without_reading_everybody,
);

const MAPPING: &str = r#"
    [person]
    school_id = "id"
    last_name = "name"
    program_status = { value = "ACTIVE" }
    [extra]
    cohort = "cohort"
    "IMD band" = "band"
"#;

async fn import(c: &College, lines: &str) {
    let upload = uploaded(c, &format!("id,name,cohort,band\n{lines}")).await;
    c.caseload.imports().submit(&c.administrator, "spring.csv", MAPPING, upload).await.unwrap();
    c.run().await;
}

/// Six of two cohorts.
async fn with_cohorts(on: On) -> College {
    let c = College::of(on, 4).await;
    import(&c, "X-1,Ahn,2025,low\nX-2,Bly,2025,high\nX-3,Cho,2026,low\nX-4,Dov,2026,\nX-5,Eck,2026,high\nX-6,Fry,,\n")
        .await;
    c
}

fn by(fields: &[(&str, &[&str])]) -> PeopleFilter {
    let extra: ExtraFields = fields
        .iter()
        .map(|(name, values)| ((*name).to_owned(), values.iter().map(ToString::to_string).collect()))
        .collect();
    PeopleFilter { extra, ..everyone() }
}

fn asked(filter: PeopleFilter) -> PeopleQuery {
    PeopleQuery { filter, ..PeopleQuery::default() }
}

/// Who is found, by school id, and as many as are counted.
async fn found(c: &College, filter: PeopleFilter) -> Vec<String> {
    let page = c.caseload.people().list(&c.manager, &asked(filter)).await.unwrap();
    assert_eq!(page.total.value, page.items.len() as u64);
    page.items.into_iter().filter_map(|row| row.school_id).collect()
}

async fn id_of(c: &College, school_id: &str) -> PersonId {
    let filter = PeopleFilter { q: school_id.to_owned(), ..everyone() };
    c.caseload.people().list(&c.manager, &asked(filter)).await.unwrap().items[0].id
}

async fn people_are_found_by_a_field_that_an_import_keeps(on: On) {
    let c = with_cohorts(on).await;
    assert_eq!(c.caseload.people().extra_fields().await.unwrap(), ["IMD band", "cohort"]);
    assert_eq!(found(&c, by(&[("cohort", &["2025"])])).await, ["X-1", "X-2"]);
    assert_eq!(found(&c, by(&[("cohort", &["2025", "2026"])])).await, ["X-1", "X-2", "X-3", "X-4", "X-5"]);
    assert_eq!(found(&c, by(&[("cohort", &["2026"]), ("IMD band", &["low", "high"])])).await, ["X-3", "X-5"]);
    let named = PeopleFilter { q: "Cho".into(), ..by(&[("IMD band", &["low"])]) };
    assert_eq!(found(&c, named).await, ["X-3"]);
    for nothing in [by(&[("cohort", &["202"])]), by(&[("IMD band", &["LOW"])]), by(&[("Invented", &["true"])])] {
        assert_eq!(found(&c, nothing).await, Vec::<String>::new());
    }
    // One moves to another cohort, one to none, and one stays.
    import(&c, "X-1,Ahn,2026,low\nX-2,Bly,,high\nX-3,Cho,2026,low\n").await;
    assert_eq!(found(&c, by(&[("cohort", &["2025"])])).await, Vec::<String>::new());
    assert_eq!(found(&c, by(&[("cohort", &["2026"])])).await, ["X-1", "X-3", "X-4", "X-5"]);
    assert_eq!(found(&c, by(&[("IMD band", &["high"])])).await, ["X-2", "X-5"]);
    // What no index takes is kept with the person, and is no reason to refuse them.
    import(&c, &format!("X-7,Gil,{},low\n", "9".repeat(4_000))).await;
    let id = id_of(&c, "X-7").await;
    assert_eq!(c.caseload.people().get(&c.manager, id).await.unwrap().details.unwrap().extra["cohort"].len(), 4_000);
    assert_eq!(found(&c, by(&[("IMD band", &["low"])])).await, ["X-1", "X-3", "X-7"]);
}

async fn everybody_of_a_value_can_be_selected_changed_and_kept_as_a_view(on: On) {
    let c = with_cohorts(on).await;
    let cohort = by(&[("cohort", &["2026"])]);
    let selection = c.caseload.selections().select_matching(&c.manager, cohort.clone()).await.unwrap();
    assert_eq!((selection.count, selection.everyone), (3, false));
    assert_eq!(selection.filter_query.as_deref(), Some("scope=all&extra.cohort=2026"));
    let view =
        c.caseload.views().save(&c.manager, "Newest", asked(cohort.clone()), &ListLook::default()).await.unwrap();
    assert_eq!(PeopleQuery::from_query(&view.query).unwrap().filter.extra, cohort.extra);
    let target = Target::Query { filter: cohort.clone(), exclude: vec![id_of(&c, "X-4").await] };
    c.submit(&c.manager, set(ProgramStatus::NoShow), target, 2).await.unwrap();
    c.run().await;
    let changed = PeopleFilter { program_status: vec![ProgramStatus::NoShow], ..cohort };
    assert_eq!(found(&c, changed).await, ["X-3", "X-5"]);
}

async fn of_whoever_is_beyond_reach_an_extra_field_tells_nothing(on: On) {
    let c = with_cohorts(on).await;
    let id = id_of(&c, "X-1").await;
    let count = async |scope| {
        let filter = PeopleFilter { scope: Some(scope), ..by(&[("cohort", &["2025"])]) };
        c.caseload.people().list(&c.coach, &asked(filter)).await.unwrap().items.len()
    };
    c.write("UPDATE person SET coach_id = $1 WHERE id = $2", [c.coach.person_id.into(), id.into()]).await;
    c.submit(&c.coach, WATCH, Target::People(vec![id]), 1).await.unwrap();
    c.run().await;
    assert_eq!((count(model::Scope::All).await, count(model::Scope::Watchlist).await), (1, 1), "they are theirs");
    c.write("UPDATE person SET coach_id = $1 WHERE id = $2", [c.other_coach.person_id.into(), id.into()]).await;
    assert_eq!((count(model::Scope::All).await, count(model::Scope::Watchlist).await), (0, 0), "their name is all");
}

async fn nothing_of_an_extra_field_is_left_of_whoever_was_erased(on: On) {
    let c = with_cohorts(on).await;
    let rows = "SELECT COUNT(*) FROM person_extra WHERE person_id = $1";
    let id = id_of(&c, "X-1").await;
    assert_eq!(c.count(rows, [id.into()]).await, 2);
    c.caseload.people().erase(&c.administrator, id, "X-1", Some("a request")).await.unwrap();
    assert_eq!(c.count(rows, [id.into()]).await, 0);
    assert_eq!(found(&c, by(&[("cohort", &["2025"])])).await, ["X-2"]);
}

async fn an_extra_field_is_counted_without_reading_everybody(on: On) {
    let c = crowd(on).await;
    let few = "INSERT INTO person_extra (person_id, name, value)
        SELECT id, 'cohort', CASE WHEN school_key < 'c102' THEN '2026' ELSE 'other' END FROM person WHERE student";
    c.write(few, []).await;
    c.test.analyze().await.unwrap();
    let there = c.count("SELECT COUNT(*) FROM person_extra WHERE value = '2026'", []).await;
    assert!((1..2_000).contains(&there), "{there}");
    let kept = keep_statements(&c);
    let page = c.caseload.people().list(&c.manager, &asked(by(&[("cohort", &["2026"])]))).await.unwrap();
    assert_eq!(page.total.value, there.unsigned_abs());
    let names = c.caseload.people().extra_fields().await.unwrap();
    assert_eq!(names, ["cohort"]);
    let statements = kept.statements();
    let looks: Vec<_> = statements.iter().filter(|statement| statement.sql.contains("person_extra")).collect();
    assert!(looks.len() >= 2, "{statements:?}");
    for look in looks {
        let plan = plan(&c, look).await;
        let mut steps = plan.lines().map(|step| step.trim_start_matches([' ', '-', '>']));
        let reads_all = |step: &&str| {
            step.starts_with("Seq Scan on person")
                || *step == "SCAN p"
                || step.starts_with("SCAN p ")
                || step.starts_with("SCAN x")
        };
        assert_eq!(steps.find(reads_all), None, "{}\n{plan}", look.sql);
    }
}
