//! Another coach: who moves, who may move them, and how they come back.

use model::{
    Action, LedgerQuery, Outcome, Permission, PersonId, Problem, Role, Submission, Target, TaskId,
    submission::SubmitSource,
};
use testkit::On;

use crate::college::{College, everyone};

testkit::on_both!(
    people_move_from_one_caseload_to_another,
    whoever_is_with_the_coach_already_is_skipped,
    a_reassignment_that_is_undone_leaves_alone_who_moved_on,
    a_coach_gives_nobody_away,
    a_coach_has_to_have_an_account,
    a_list_gives_each_person_the_coach_beside_them,
);

fn to(coach: PersonId) -> Action {
    Action::reassign_coach(&coach.to_string()).unwrap()
}

async fn caseload_of(c: &College, coach: PersonId) -> i64 {
    c.count("SELECT COUNT(*) FROM person WHERE student AND coach_id = $1", [coach.into()]).await
}

async fn reassign(c: &College, coach: PersonId, people: Vec<PersonId>) -> TaskId {
    let count = people.len() as u64;
    let task = c.submit(&c.manager, to(coach), Target::People(people), count).await.unwrap().id;
    c.run().await;
    task
}

async fn people_move_from_one_caseload_to_another(on: On) {
    let c = College::of(on, 100).await;
    let ids = c.students(&c.coach).await;
    let task = reassign(&c, c.other_coach.person_id.person(), ids.clone()).await;
    assert_eq!(caseload_of(&c, c.coach.person_id.person()).await, 0);
    assert_eq!(caseload_of(&c, c.other_coach.person_id.person()).await, 100);
    assert!(c.students(&c.coach).await.is_empty(), "nobody is left within reach");
    let line = &c.caseload.tasks().ledger(&c.manager, task, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Nwachukwu, Paul"), Some("Sørbø, Mia")));
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!(row.title, "Reassign to Sørbø, Mia");
}

async fn whoever_is_with_the_coach_already_is_skipped(on: On) {
    let c = College::of(on, 20).await;
    let preview = c.caseload.actions().preview(
        &c.manager,
        to(c.coach.person_id.person()),
        Target::Query { filter: everyone(), exclude: vec![] },
    );
    let preview = preview.await.unwrap();
    assert_eq!((preview.total, preview.will_change), (20, 10));
    let skipped = preview.skipped.iter().find(|line| line.count > 0).unwrap();
    assert_eq!((skipped.count, skipped.label.as_str()), (10, "already with Nwachukwu, Paul"));
}

async fn a_reassignment_that_is_undone_leaves_alone_who_moved_on(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let first = reassign(&c, c.other_coach.person_id.person(), ids.clone()).await;
    // One moved on, and one came back by a third and a fourth change.
    reassign(&c, c.manager.person_id.person(), ids[..2].to_vec()).await;
    reassign(&c, c.other_coach.person_id.person(), ids[..1].to_vec()).await;
    let confirmed = model::Submission::from_source(model::submission::SubmitSource::Program);
    let undo = c.caseload.tasks().undo(&c.manager, first, confirmed).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.manager, undo).await;
    assert_eq!(ledger[&(Some(Outcome::Done), String::new())], 8);
    assert_eq!(ledger[&(Some(Outcome::Skipped), "CHANGED_SINCE".to_owned())], 2);
    assert_eq!(caseload_of(&c, c.coach.person_id.person()).await, 8);
    assert_eq!(caseload_of(&c, c.manager.person_id.person()).await, 1);
}

async fn a_coach_gives_nobody_away(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.coach, to(c.other_coach.person_id.person()), Target::People(ids), 10).await.unwrap_err();
    assert_eq!(refused.status, 403);
    assert!(!Permission::default_for(Role::Coach).contains(&Permission::ReassignCoach));
}

async fn a_coach_has_to_have_an_account(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.manager, to(ids[1]), Target::People(ids[..1].to_vec()), 1).await.unwrap_err();
    assert_eq!(refused.errors[0].field, "coachId");
}

async fn a_list_gives_each_person_the_coach_beside_them(on: On) {
    let c = College::of(on, 20).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    let school_id = async |id: PersonId| c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let list = format!(
        "School ID,Coach\n{},other\n{},\"Nwachukwu, Paul\"\n{},Mia Sørbø\n{},nobody\nG9-9,coach\n{},coach\n{},OTHER\n",
        school_id(mine[0]).await,
        school_id(theirs[0]).await,
        school_id(theirs[1]).await,
        school_id(mine[1]).await,
        school_id(mine[2]).await,
        school_id(mine[2]).await.to_lowercase(),
    );
    let refused = c.caseload.actions().preview_list(&c.coach, "spring.csv", &list).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 403);
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    assert_eq!((preview.total, preview.will_change), (7, 3));
    let submission = Submission { preview: Some(preview.preview_token), ..Submission::from_source(SubmitSource::Page) };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, task).await.unwrap().row.title, "Reassign by spring.csv");
    let lines = c.caseload.tasks().ledger(&c.manager, task, &LedgerQuery::default()).await.unwrap().items;
    let told: Vec<_> =
        lines.iter().map(|line| (line.outcome.unwrap(), line.reason.as_deref().unwrap_or_default())).collect();
    let expected = [
        (Outcome::Done, ""),
        (Outcome::Done, ""),
        (Outcome::Skipped, "ALREADY_THERE"),
        (Outcome::Skipped, "UNKNOWN_COACH"),
        (Outcome::Skipped, "NOT_FOUND"),
        (Outcome::Skipped, "ANOTHER_ROW"),
        (Outcome::Done, ""),
    ];
    assert_eq!(told, expected);
    assert_eq!((lines[4].name.as_str(), lines[6].after.as_deref()), ("G9-9", Some("Sørbø, Mia")));
    let at = async |id: PersonId| c.caseload.people().get(&c.manager, id).await.unwrap().row.coach_name;
    assert_eq!(at(mine[0]).await, at(theirs[1]).await);
    // And back.
    let confirmed = Submission { confirm_total: Some(3), ..Submission::from_source(SubmitSource::Program) };
    c.caseload.tasks().undo(&c.manager, task, confirmed).await.unwrap();
    c.run().await;
    assert_eq!((c.students(&c.coach).await, c.students(&c.other_coach).await), (mine, theirs));
}
