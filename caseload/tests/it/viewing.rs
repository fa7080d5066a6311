//! Saved views, and what is shown of one person.

use model::{PeopleQuery, Problem, ProgramStatus, Target};
use testkit::On;

use crate::{
    college::{College, set, with_status},
    watching::WATCH,
};

testkit::on_both!(
    a_view_is_kept_renewed_and_forgotten_by_whose_it_is,
    a_person_shows_the_tasks_that_one_may_see,
    whoever_is_only_watched_shows_no_details,
    a_watch_is_toggled_at_once,
);

async fn a_view_is_kept_renewed_and_forgotten_by_whose_it_is(on: On) {
    let c = College::of(on, 4).await;
    let query =
        PeopleQuery { filter: with_status(ProgramStatus::NoShow), after: Some("x".into()), ..Default::default() };
    c.caseload.save_view(&c.coach, "  No  shows ", query).await.unwrap();
    c.caseload.save_view(&c.coach, "No shows", PeopleQuery::default()).await.unwrap();
    let views = c.caseload.views(&c.coach).await.unwrap();
    assert_eq!((views.len(), views[0].name.as_str(), views[0].query.as_str()), (1, "No shows", ""));
    assert_eq!(c.caseload.views(&c.other_coach).await.unwrap(), []);
    let theirs = c.caseload.forget_view(&c.other_coach, views[0].id).await.unwrap_err();
    assert_eq!(Problem::from(theirs).status, 404);
    c.caseload.forget_view(&c.coach, views[0].id).await.unwrap();
    for name in [" ", "shows\u{202e}oN", "\u{2066}No shows"] {
        let refused = c.caseload.save_view(&c.coach, name, PeopleQuery::default()).await.unwrap_err();
        assert_eq!(Problem::from(refused).errors[0].field, "name", "{name:?}");
    }
}

async fn a_person_shows_the_tasks_that_one_may_see(on: On) {
    let c = College::of(on, 10).await;
    let id = c.students(&c.coach).await[0];
    let first = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    let second = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    let seen = |tasks: &[model::person::PersonTask]| tasks.iter().map(|task| task.task.id).collect::<Vec<_>>();
    let by_manager = c.caseload.tasks_of_person(&c.manager, id).await.unwrap();
    assert_eq!(seen(&by_manager), [second, first]);
    assert_eq!(by_manager[0].reason_label.as_deref(), Some("already Inactive"));
    let by_coach = c.caseload.tasks_of_person(&c.coach, id).await.unwrap();
    assert_eq!(seen(&by_coach), [first]);
    let history = c.caseload.status_history(&c.manager, id).await.unwrap();
    assert_eq!((history[0].program_status, history[0].task_id), (ProgramStatus::Inactive, Some(first)));
    assert!(history[0].created_by_name.contains("Nwachukwu"), "{}", history[0].created_by_name);
    assert!(history[0].expiration_date.is_none() && history[1].expiration_date.is_some());
    let hidden = c.caseload.person(&c.other_coach, id).await.unwrap_err();
    assert_eq!(Problem::from(hidden).status, 404);
}

async fn whoever_is_only_watched_shows_no_details(on: On) {
    let c = College::of(on, 10).await;
    let id = c.students(&c.coach).await[0];
    c.submit(&c.coach, WATCH, Target::People(vec![id]), 1).await.unwrap();
    c.run().await;
    let mine = c.caseload.person(&c.coach, id).await.unwrap();
    assert_eq!(mine.details.unwrap().watchers.len(), 1);
    c.write("UPDATE person SET coach_id = $1 WHERE id = $2", [c.other_coach.person_id.into(), id.into()]).await;
    let person = c.caseload.person(&c.coach, id).await.unwrap();
    assert!(!person.row.reached && person.details.is_none() && person.watched_date.is_some());
    assert_eq!(Problem::from(c.caseload.status_history(&c.coach, id).await.unwrap_err()).status, 404);
}

async fn a_watch_is_toggled_at_once(on: On) {
    let c = College::of(on, 10).await;
    let (mine, theirs) = (c.students(&c.coach).await[0], c.students(&c.other_coach).await[0]);
    c.caseload.set_watched(&c.coach, mine, true).await.unwrap();
    assert!(c.caseload.person(&c.coach, mine).await.unwrap().watched_date.is_some());
    c.caseload.set_watched(&c.coach, mine, false).await.unwrap();
    assert!(c.caseload.person(&c.coach, mine).await.unwrap().watched_date.is_none());
    let refused = c.caseload.set_watched(&c.coach, theirs, true).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 404);
}
