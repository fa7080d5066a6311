//! The people list: search, filters, order and pages.

use model::{PeopleFilter, PeopleQuery, Problem, ProgramStatus, Sort};
use sea_orm::Value;
use testkit::On;

use crate::college::{College, everyone, with_status};

testkit::on_both!(
    people_are_found_by_the_beginning_of_what_they_are_called,
    pages_show_everybody_once_in_order,
    filters_narrow_each_other,
    a_cursor_that_is_none_is_refused_by_name,
);

async fn search(c: &College, text: &str) -> Vec<String> {
    let filter = PeopleFilter { q: text.to_owned(), ..everyone() };
    let page = c.caseload.people(&c.manager, &PeopleQuery { filter, ..PeopleQuery::default() }).await.unwrap();
    assert_eq!(page.total.value, page.items.len() as u64);
    page.items.into_iter().map(|row| row.name).collect()
}

async fn people_are_found_by_the_beginning_of_what_they_are_called(on: On) {
    let c = College::of(on, 3).await;
    let ids = c.students(&c.manager).await;
    for (id, first, last, sort, given, school, email) in [
        (ids[0], "Íñigo", "Menéndez Ruiz", "menendez ruiz inigo", "inigo menendez ruiz", "X-100", "im@example.org"),
        (ids[1], "Aoife", "O’Sullivan", "osullivan aoife", "aoife osullivan", "X-200", "aoife.os@example.org"),
        (ids[2], "100%", "Percent_", "percent_ 100", "100 percent_", "Y-300", "p@example.org"),
    ] {
        let values: [Value; 8] = [
            id.into(),
            first.into(),
            last.into(),
            sort.into(),
            given.into(),
            school.into(),
            school.to_lowercase().into(),
            email.into(),
        ];
        c.write(
            "UPDATE person SET first_name = $2, last_name = $3, middle_name = NULL, sort_key = $4, given_key = $5,
                school_id = $6, school_key = $7, primary_email = $8, email_key = $8 WHERE id = $1",
            values,
        )
        .await;
    }
    let (menendez, osullivan) = ("Menéndez Ruiz, Íñigo", "O’Sullivan, Aoife");
    assert_eq!(search(&c, "MENENDEZ").await, [menendez]);
    assert_eq!(search(&c, "menéndez ruiz, í").await, [menendez]);
    assert_eq!(search(&c, "inigo men").await, [menendez]);
    assert_eq!(search(&c, "o'sull").await, [osullivan]);
    assert_eq!(search(&c, "Aoife.OS@ex").await, [osullivan]);
    assert_eq!(search(&c, "x-1").await, [menendez]);
    assert_eq!(search(&c, "os").await, [osullivan]);
    assert_eq!(search(&c, "ao").await, [""; 0], "two letters are looked for in last names only");
    assert_eq!(search(&c, "y-3").await, ["Percent_, 100%"]);
    assert_eq!(search(&c, "ruiz").await, [""; 0], "a beginning, not a middle");
    assert_eq!(search(&c, "_").await, [""; 0], "no wildcard");
    assert_eq!(search(&c, "!!").await, [""; 0], "nothing to search by finds nobody, not everybody");
}

async fn pages_show_everybody_once_in_order(on: On) {
    let c = College::of(on, 95).await;
    let all = c.students(&c.manager).await;
    for sort in Sort::ALL {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let query = PeopleQuery { filter: everyone(), sort: Some(*sort), limit: Some(20), after };
            let page = c.caseload.people(&c.manager, &query).await.unwrap();
            assert_eq!((page.total.value, page.total.exact), (95, true));
            seen.extend(page.items);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let mut ids: Vec<_> = seen.iter().map(|row| row.id).collect();
        ids.sort();
        assert_eq!(ids, all, "{sort}");
        let schools: Vec<_> = seen.iter().map(|row| row.school_id.clone()).collect();
        match sort {
            Sort::SchoolId => assert!(schools.is_sorted()),
            Sort::SchoolIdDescending => assert!(schools.iter().rev().is_sorted()),
            Sort::Name | Sort::NameDescending => {}
        }
    }
}

async fn filters_narrow_each_other(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..10], ProgramStatus::NoShow).await;
    let choices = c.caseload.filter_choices(&c.manager).await.unwrap();
    assert_eq!(choices.coaches.len(), 2);
    assert!(choices.home_campuses.len() > 1 && choices.home_campuses.is_sorted());
    let count = async |filter: PeopleFilter| {
        let query = PeopleQuery { filter, limit: Some(200), ..PeopleQuery::default() };
        c.caseload.people(&c.manager, &query).await.unwrap().items.len()
    };
    assert_eq!(count(with_status(ProgramStatus::NoShow)).await, 10);
    assert_eq!(count(PeopleFilter { coach: vec![c.coach.person_id], ..everyone() }).await, 30);
    let by_campus = async |campus: &String| {
        count(PeopleFilter { home_campus: vec![campus.clone()], ..with_status(ProgramStatus::NoShow) }).await
    };
    let mut sum = 0;
    for campus in &choices.home_campuses {
        sum += by_campus(campus).await;
    }
    assert_eq!(sum, 10);
    let all = PeopleFilter { home_campus: choices.home_campuses.clone(), ..with_status(ProgramStatus::NoShow) };
    assert_eq!(count(all).await, 10);
}

async fn a_cursor_that_is_none_is_refused_by_name(on: On) {
    let c = College::of(on, 1).await;
    let query = PeopleQuery { after: Some("'; DROP TABLE person".into()), ..PeopleQuery::default() };
    let problem = Problem::from(c.caseload.people(&c.manager, &query).await.unwrap_err());
    assert_eq!((problem.status, problem.errors[0].field.as_str()), (400, "after"));
}
