//! Saved views, and what is shown of one person.

use model::{Cursor, ListLook, PeopleQuery, PersonColumn, Problem, ProgramStatus, Submission, Target};
use testkit::On;

use crate::{
    college::{College, program, set, with_status},
    watching::WATCH,
};

/// A list that looks as its reader likes it.
const PLAIN: ListLook = ListLook { columns: None, row_height: None };

testkit::on_both!(
    a_view_is_kept_renewed_and_forgotten_by_whose_it_is,
    a_shared_view_is_found_by_colleagues_and_changed_by_whose_it_is,
    a_person_shows_the_tasks_that_one_may_see,
    the_task_that_was_submitted_last_comes_first_though_it_was_looked_at_first,
    neither_previews_nor_tasks_of_others_take_the_places_of_ones_own,
    whoever_is_only_watched_shows_no_details,
    a_watch_is_toggled_at_once,
);

async fn a_view_is_kept_renewed_and_forgotten_by_whose_it_is(on: On) {
    let c = College::of(on, 4).await;
    let query = PeopleQuery {
        filter: with_status(ProgramStatus::NoShow),
        after: Some(Cursor::after("x")),
        ..Default::default()
    };
    let view = c.caseload.views().save(&c.coach, "  No  shows ", query.clone(), &PLAIN).await.unwrap();
    assert_eq!(view.query, PeopleQuery { after: None, ..query }.to_query());
    let again = c.caseload.views().save(&c.coach, "No shows", PeopleQuery::default(), &PLAIN).await.unwrap_err();
    assert_eq!(Problem::from(again).errors[0].code, "taken", "what is kept is not written over by its name");
    c.caseload.views().update(&c.coach, view.id, PeopleQuery::default(), &PLAIN).await.unwrap();
    let theirs = c.caseload.views().update(&c.other_coach, view.id, PeopleQuery::default(), &PLAIN).await.unwrap_err();
    assert_eq!(Problem::from(theirs).status, 404);
    let views = c.caseload.views().list(&c.coach).await.unwrap();
    assert_eq!((views.len(), views[0].name.as_str(), views[0].query.as_str()), (1, "No shows", ""));
    assert_eq!(c.caseload.views().list(&c.other_coach).await.unwrap(), []);
    let theirs = c.caseload.views().forget(&c.other_coach, views[0].id).await.unwrap_err();
    assert_eq!(Problem::from(theirs).status, 404);
    c.caseload.views().forget(&c.coach, views[0].id).await.unwrap();
    for name in [" ", "shows\u{202e}oN", "\u{2066}No shows"] {
        let refused = c.caseload.views().save(&c.coach, name, PeopleQuery::default(), &PLAIN).await.unwrap_err();
        assert_eq!(Problem::from(refused).errors[0].field, "name", "{name:?}");
    }
}

async fn a_shared_view_is_found_by_colleagues_and_changed_by_whose_it_is(on: On) {
    let c = College::of(on, 4).await;
    let query = PeopleQuery { filter: with_status(ProgramStatus::NoShow), ..Default::default() };
    let look = ListLook { columns: PersonColumn::listed("name,coach"), row_height: None };
    let view = c.caseload.views().save(&c.coach, "No shows", query.clone(), &look).await.unwrap();
    assert_eq!(view.query, format!("{}&columns=name%2Ccoach", query.to_query()));
    assert_eq!(PeopleQuery::from_query(&view.query).unwrap(), query);
    let seen = async || c.caseload.views().list(&c.other_coach).await.unwrap();
    c.caseload.views().share(&c.coach, view.id, true).await.unwrap();
    let [shared] = &seen().await[..] else { panic!("one is shared") };
    assert_eq!((shared.id, shared.owner_name.as_deref()), (view.id, Some("Nwachukwu, Paul")));
    let theirs = [
        c.caseload.views().share(&c.other_coach, view.id, false).await,
        c.caseload.views().rename(&c.other_coach, view.id, "Mine").await,
        c.caseload.views().forget(&c.other_coach, view.id).await,
    ];
    assert_eq!(theirs.map(|refused| Problem::from(refused.unwrap_err()).status), [404; 3]);
    c.caseload.views().save(&c.coach, "Others", PeopleQuery::default(), &PLAIN).await.unwrap();
    let taken = Problem::from(c.caseload.views().rename(&c.coach, view.id, "Others").await.unwrap_err());
    assert_eq!((taken.errors[0].field.as_str(), taken.errors[0].code.as_ref()), ("name", "taken"));
    c.caseload.views().rename(&c.coach, view.id, " No  show ").await.unwrap();
    assert_eq!(seen().await[0].name, "No show");
    c.caseload.views().share(&c.coach, view.id, false).await.unwrap();
    assert_eq!(seen().await, []);
}

async fn a_person_shows_the_tasks_that_one_may_see(on: On) {
    let c = College::of(on, 10).await;
    let id = c.students(&c.coach).await[0];
    let first = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    let second = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    let seen = |tasks: &[model::person::PersonTask]| tasks.iter().map(|task| task.task.id).collect::<Vec<_>>();
    let by_manager = c.caseload.people().tasks_of(&c.manager, id).await.unwrap();
    assert_eq!(seen(&by_manager), [second, first]);
    assert_eq!(by_manager[0].reason_label.as_deref(), Some("already Inactive"));
    let by_coach = c.caseload.people().tasks_of(&c.coach, id).await.unwrap();
    assert_eq!(seen(&by_coach), [first]);
    let history = c.caseload.people().status_history(&c.manager, id).await.unwrap();
    assert_eq!((history[0].program_status, history[0].task_id), (ProgramStatus::Inactive, Some(first)));
    assert!(history[0].created_by_name.contains("Nwachukwu"), "{}", history[0].created_by_name);
    assert!(history[0].expiration_date.is_none() && history[1].expiration_date.is_some());
    let hidden = c.caseload.people().get(&c.other_coach, id).await.unwrap_err();
    assert_eq!(Problem::from(hidden).status, 404);
}

async fn the_task_that_was_submitted_last_comes_first_though_it_was_looked_at_first(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let target = || Target::People(vec![id]);
    let look =
        async |status| c.caseload.actions().preview(&c.coach, set(status), target()).await.unwrap().preview_token;
    let submit = async |status, token| {
        let submission = Submission { preview: Some(token), ..program(set(status), target()) };
        c.caseload.actions().submit(&c.coach, submission).await.unwrap().id
    };
    let looked_at_first = look(ProgramStatus::Inactive).await;
    let looked_at_last = look(ProgramStatus::NoShow).await;
    let first = submit(ProgramStatus::NoShow, looked_at_last).await;
    let last = submit(ProgramStatus::Inactive, looked_at_first).await;
    let tasks = c.caseload.people().tasks_of(&c.coach, id).await.unwrap();
    assert_eq!(tasks.iter().map(|task| task.task.id).collect::<Vec<_>>(), [last, first]);
    let page = c.caseload.people().list(&c.coach, &PeopleQuery::default()).await.unwrap();
    let pending = page.items.into_iter().find_map(|row| row.pending).unwrap();
    assert_eq!((pending.task_id, pending.label.as_str()), (last, "Inactive soon"), "the one that runs last");
}

async fn neither_previews_nor_tasks_of_others_take_the_places_of_ones_own(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let inactive = async |actor| c.submit(actor, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await;
    let mine = inactive(&c.coach).await.unwrap().id;
    for _ in 0..101 {
        inactive(&c.manager).await.unwrap();
    }
    c.write(
        "INSERT INTO task_person (task_id, position, person_id)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
         SELECT {postgres:gen_random_uuid()}{sqlite:randomblob(16)}, 1, $1 FROM numbers",
        [id.into()],
    )
    .await;
    let tasks = c.caseload.people().tasks_of(&c.coach, id).await.unwrap();
    assert_eq!(tasks.iter().map(|task| task.task.id).collect::<Vec<_>>(), [mine]);
    assert_eq!(c.caseload.people().tasks_of(&c.manager, id).await.unwrap().len(), 100);
}

async fn whoever_is_only_watched_shows_no_details(on: On) {
    let c = College::of(on, 10).await;
    let id = c.students(&c.coach).await[0];
    c.submit(&c.coach, WATCH, Target::People(vec![id]), 1).await.unwrap();
    c.run().await;
    let mine = c.caseload.people().get(&c.coach, id).await.unwrap();
    assert_eq!(mine.details.unwrap().watchers.len(), 1);
    c.write("UPDATE person SET coach_id = $1 WHERE id = $2", [c.other_coach.person_id.into(), id.into()]).await;
    let person = c.caseload.people().get(&c.coach, id).await.unwrap();
    assert!(!person.row.reached && person.details.is_none() && person.watched_date.is_some());
    assert_eq!(Problem::from(c.caseload.people().status_history(&c.coach, id).await.unwrap_err()).status, 404);
}

async fn a_watch_is_toggled_at_once(on: On) {
    let c = College::of(on, 10).await;
    let (mine, theirs) = (c.students(&c.coach).await[0], c.students(&c.other_coach).await[0]);
    c.caseload.people().set_watched(&c.coach, mine, true).await.unwrap();
    assert!(c.caseload.people().get(&c.coach, mine).await.unwrap().watched_date.is_some());
    c.caseload.people().set_watched(&c.coach, mine, false).await.unwrap();
    assert!(c.caseload.people().get(&c.coach, mine).await.unwrap().watched_date.is_none());
    let refused = c.caseload.people().set_watched(&c.coach, theirs, true).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 404);
}
