//! The people list: search, filters, order and pages.

use model::{
    Cursor, PeopleFilter, PeopleQuery, PersonColumn, PersonRow, Problem, ProgramStatus, Sort,
    filter::{FilterField, HasEmail, IsActivated},
};
use sea_orm::Value;
use testkit::On;

use crate::college::{College, everyone, with_status};

testkit::on_both!(
    people_are_found_by_the_beginning_of_what_they_are_called,
    pages_show_everybody_once_in_order,
    filters_narrow_each_other,
    what_an_import_says_of_people_narrows_them,
    whoever_has_nothing_there_comes_last_either_way_round,
    every_value_of_a_filter_can_be_found,
    a_coach_is_found_by_any_part_of_their_name,
    rows_stay_where_they_are_while_others_come_and_go,
    a_row_of_somebody_who_cannot_be_seen_any_more_says_nothing,
    a_cursor_that_is_none_is_refused_by_name,
);

async fn search(c: &College, text: &str) -> Vec<String> {
    let filter = PeopleFilter { q: text.to_owned(), ..everyone() };
    let page = c.caseload.people().list(&c.manager, &PeopleQuery { filter, ..PeopleQuery::default() }).await.unwrap();
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
    // One alike in what is sorted by, one with nothing there: pages of both meet in the middle.
    c.write("UPDATE person SET start_term = NULL, declared_major = '' WHERE school_id > 'G1-0000060'", []).await;
    for sort in Sort::names().iter().map(|name| name.parse::<Sort>().unwrap()) {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let query = PeopleQuery { filter: everyone(), sort: Some(sort), limit: Some(20), after };
            let page = c.caseload.people().list(&c.manager, &query).await.unwrap();
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
        match (sort.by, sort.descending) {
            (PersonColumn::SchoolId, false) => assert!(schools.is_sorted()),
            (PersonColumn::SchoolId, true) => assert!(schools.iter().rev().is_sorted()),
            (PersonColumn::StatusSince, false) => assert!(seen.is_sorted_by_key(|row| row.status_since)),
            (PersonColumn::HomeCampus, false) => assert!(seen.is_sorted_by_key(|row| row.home_campus.clone())),
            _ => {}
        }
    }
}

async fn whoever_has_nothing_there_comes_last_either_way_round(on: On) {
    let c = College::of(on, 30).await;
    c.write("UPDATE person SET start_term = NULL WHERE school_id > 'G1-0000020'", []).await;
    let by_term = async |sort| {
        let query = PeopleQuery { filter: everyone(), sort: Some(sort), limit: Some(200), after: None };
        let rows = c.caseload.people().list(&c.manager, &query).await.unwrap().items;
        let (with, without): (Vec<PersonRow>, Vec<_>) = rows.iter().cloned().partition(|row| row.start_term.is_some());
        assert_eq!(rows, [with.clone(), without.clone()].concat());
        assert!(!without.is_empty());
        with.into_iter().map(|row| row.start_term.unwrap()).collect::<Vec<_>>()
    };
    let sort = Sort::by(PersonColumn::StartTerm);
    assert!(by_term(sort).await.is_sorted());
    assert!(by_term(sort.reversed()).await.iter().rev().is_sorted());
}

async fn what_an_import_says_of_people_narrows_them(on: On) {
    let c = College::of(on, 20).await;
    let count = async |filter: PeopleFilter| {
        let query = PeopleQuery { filter, limit: Some(200), ..PeopleQuery::default() };
        c.caseload.people().list(&c.manager, &query).await.unwrap().total.value
    };
    c.write("UPDATE person SET student_type = 'Guest' WHERE school_id <= 'G1-0000004'", []).await;
    c.write("UPDATE person SET activated = false WHERE school_id <= 'G1-0000003'", []).await;
    c.write("UPDATE person SET primary_email = NULL WHERE school_id <= 'G1-0000002'", []).await;
    let guests = PeopleFilter { student_type: vec!["Guest".into()], ..everyone() };
    assert_eq!(count(guests.clone()).await, 4);
    assert_eq!(count(PeopleFilter { activated: Some(IsActivated::No), ..guests.clone() }).await, 3);
    assert_eq!(count(PeopleFilter { email: Some(HasEmail::Yes), ..guests.clone() }).await, 2);
    assert_eq!(count(PeopleFilter { email: Some(HasEmail::No), ..everyone() }).await, 2);
    assert_eq!(choices(&c, FilterField::StudentType, "gue").await.0, ["Guest"]);
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..5], ProgramStatus::NoShow).await;
    let now = c.caseload.now();
    c.write("UPDATE person SET status_date = $1 WHERE program_status = 'NO_SHOW'", [now.into()]).await;
    let today = now.date_naive();
    let since = |from, to| PeopleFilter { since_from: from, since_to: to, ..with_status(ProgramStatus::NoShow) };
    assert_eq!(count(since(Some(today), Some(today))).await, 5, "both days count");
    assert_eq!(count(since(today.succ_opt(), None)).await, 0);
    assert_eq!(count(since(None, today.pred_opt())).await, 0);
    let turned = PeopleFilter { since_from: today.succ_opt(), since_to: Some(today), ..everyone() };
    assert_eq!(turned.checked().unwrap_err().errors[0].field, "sinceTo");
}

async fn filters_narrow_each_other(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..10], ProgramStatus::NoShow).await;
    assert_eq!(choices(&c, FilterField::Coach, "").await.0.len(), 2);
    let (campuses, _) = choices(&c, FilterField::HomeCampus, "").await;
    assert!(campuses.len() > 1 && campuses.is_sorted());
    let count = async |filter: PeopleFilter| {
        let query = PeopleQuery { filter, limit: Some(200), ..PeopleQuery::default() };
        c.caseload.people().list(&c.manager, &query).await.unwrap().items.len()
    };
    assert_eq!(count(with_status(ProgramStatus::NoShow)).await, 10);
    assert_eq!(count(PeopleFilter { coach: vec![c.coach.person_id.person()], ..everyone() }).await, 30);
    let by_campus = async |campus: &String| {
        count(PeopleFilter { home_campus: vec![campus.clone()], ..with_status(ProgramStatus::NoShow) }).await
    };
    let mut sum = 0;
    for campus in &campuses {
        sum += by_campus(campus).await;
    }
    assert_eq!(sum, 10);
    let all = PeopleFilter { home_campus: campuses.clone(), ..with_status(ProgramStatus::NoShow) };
    assert_eq!(count(all).await, 10);
}

/// What a filter offers for these words, and whether there is more.
async fn choices(c: &College, field: FilterField, words: &str) -> (Vec<String>, bool) {
    let choices = c.caseload.people().filter_choices(field, words).await.unwrap();
    (choices.found.into_iter().map(|choice| choice.label).collect(), choices.more)
}

async fn every_value_of_a_filter_can_be_found(on: On) {
    let c = College::of(on, 230).await;
    c.write("UPDATE person SET declared_major = 'Études ' || school_id WHERE student", []).await;
    let (offered, more) = choices(&c, FilterField::Major, "").await;
    assert_eq!((offered.len(), more), (50, true));
    // Far beyond those that stand in the menu, by any part of it, however it is written.
    for words in ["G1-0000230", "etudes g1-0000230", "0230"] {
        assert_eq!(
            choices(&c, FilterField::Major, words).await,
            (vec!["Études G1-0000230".to_owned()], false),
            "{words}"
        );
    }
    assert_eq!(choices(&c, FilterField::Major, "no such thing").await, (Vec::new(), false));
    c.write("UPDATE person SET declared_major = 'AAA' WHERE school_id > 'G1-0000050'", []).await;
    assert!(choices(&c, FilterField::Major, "").await.1, "51 are one too many");
    c.write("UPDATE person SET declared_major = 'AAA' WHERE school_id > 'G1-0000049'", []).await;
    let (offered, more) = choices(&c, FilterField::Major, "").await;
    assert_eq!((offered.len(), more), (50, false));
}

async fn a_coach_is_found_by_any_part_of_their_name(on: On) {
    let c = College::of(on, 4).await;
    for words in ["sorbo", "Mia", "SØRBØ, m"] {
        assert_eq!(choices(&c, FilterField::Coach, words).await.0, ["Sørbø, Mia"], "{words}");
    }
    let named =
        c.caseload.people().coaches_named(&[c.coach.person_id.person(), c.students(&c.coach).await[0]]).await.unwrap();
    let named: Vec<_> = named.into_iter().map(|coach| coach.name).collect();
    assert_eq!(named, ["Nwachukwu, Paul"], "students are nobody's coach, and are not named by their id");
}

async fn rows_stay_where_they_are_while_others_come_and_go(on: On) {
    let c = College::of(on, 12).await;
    let all = c.students(&c.manager).await;
    let query = PeopleQuery { filter: with_status(ProgramStatus::NoShow), limit: Some(5), ..PeopleQuery::default() };
    // By name, so that whoever comes stands anywhere among them.
    let by_name: Vec<_> = {
        let query = PeopleQuery { filter: everyone(), ..PeopleQuery::default() };
        c.caseload.people().list(&c.manager, &query).await.unwrap().items.into_iter().map(|row| row.id).collect()
    };
    assert_eq!(by_name.len(), all.len());
    let shown: Vec<_> = [1, 3, 5, 7, 9].map(|n| by_name[n]).into();
    c.set_status(&shown, ProgramStatus::NoShow).await;
    let at_first = c.caseload.people().list_again(&c.manager, &query, &[]).await.unwrap();
    assert_eq!(at_first.lines.iter().map(|(id, _)| *id).collect::<Vec<_>>(), shown);

    let came: Vec<_> = [0, 4, 11].map(|n| by_name[n]).into();
    c.set_status(&came, ProgramStatus::NoShow).await;
    c.set_status(&shown[1..2], ProgramStatus::Active).await;
    let again = c.caseload.people().list_again(&c.manager, &query, &shown).await.unwrap();
    assert_eq!(again.lines.iter().map(|(id, _)| *id).collect::<Vec<_>>(), shown, "nobody has moved");
    let statuses: Vec<_> = again.lines.iter().map(|(_, row)| row.as_ref().unwrap().program_status.unwrap()).collect();
    assert_eq!(statuses[1], ProgramStatus::Active, "what a row says is of now");
    assert!(statuses.iter().enumerate().all(|(n, status)| n == 1 || *status == ProgramStatus::NoShow));
    assert_eq!(
        (again.newer, again.left, again.total.value),
        (2, 1, 7),
        "who stands behind the last of them is no news"
    );
}

async fn a_row_of_somebody_who_cannot_be_seen_any_more_says_nothing(on: On) {
    let c = College::of(on, 6).await;
    let shown = c.students(&c.coach).await;
    let query = PeopleQuery::default();
    let sql = "UPDATE person SET coach_id = $1 WHERE id = $2";
    c.write(sql, [c.other_coach.person_id.into(), shown[1].into()]).await;
    let again = c.caseload.people().list_again(&c.coach, &query, &shown).await.unwrap();
    let lines: Vec<_> = again.lines.iter().map(|(id, row)| (*id, row.is_some())).collect();
    assert_eq!(lines, [(shown[0], true), (shown[1], false), (shown[2], true)]);
    assert_eq!((again.newer, again.left), (0, 1));
    // Nor does asking for somebody's id say anything of them.
    let theirs = c.students(&c.other_coach).await;
    let asked = c.caseload.people().list_again(&c.coach, &query, &theirs[..1]).await.unwrap();
    assert!(asked.lines[0].1.is_none());
}

async fn a_cursor_that_is_none_is_refused_by_name(on: On) {
    let c = College::of(on, 1).await;
    let query = PeopleQuery { after: Some(Cursor::after("'; DROP TABLE person")), ..PeopleQuery::default() };
    let problem = Problem::from(c.caseload.people().list(&c.manager, &query).await.unwrap_err());
    assert_eq!((problem.status, problem.errors[0].field.as_str()), (400, "after"));
}
