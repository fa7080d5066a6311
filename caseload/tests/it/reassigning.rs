//! Another coach: who moves, who may move them, and how they come back.

use model::{Action, Outcome, Permission, Role, Target};
use testkit::On;
use uuid::Uuid;

use crate::college::{College, everyone};

testkit::on_both!(
    people_move_from_one_caseload_to_another,
    whoever_is_with_the_coach_already_is_skipped,
    a_reassignment_that_is_undone_leaves_alone_who_moved_on,
    a_coach_gives_nobody_away,
    a_coach_has_to_have_an_account,
);

fn to(coach: Uuid) -> Action {
    Action::reassign_coach(&coach.to_string()).unwrap()
}

async fn caseload_of(c: &College, coach: Uuid) -> i64 {
    c.count("SELECT COUNT(*) FROM person WHERE student AND coach_id = $1", [coach.into()]).await
}

async fn reassign(c: &College, coach: Uuid, people: Vec<Uuid>) -> Uuid {
    let count = people.len() as u64;
    let task = c.submit(&c.manager, to(coach), Target::People(people), count).await.unwrap().id;
    c.run().await;
    task
}

async fn people_move_from_one_caseload_to_another(on: On) {
    let c = College::of(on, 100).await;
    let ids = c.students(&c.coach).await;
    let task = reassign(&c, c.other_coach.person_id, ids.clone()).await;
    assert_eq!(caseload_of(&c, c.coach.person_id).await, 0);
    assert_eq!(caseload_of(&c, c.other_coach.person_id).await, 100);
    assert!(c.students(&c.coach).await.is_empty(), "nobody is left within reach");
    let line = &c.caseload.ledger(&c.manager, task, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Nwachukwu, Paul"), Some("Sørbø, Mia")));
    let row = c.caseload.task(&c.manager, task).await.unwrap().row;
    assert_eq!(row.title, "Reassign to Sørbø, Mia");
}

async fn whoever_is_with_the_coach_already_is_skipped(on: On) {
    let c = College::of(on, 20).await;
    let preview =
        c.caseload.preview(&c.manager, to(c.coach.person_id), Target::Query { filter: everyone(), exclude: vec![] });
    let preview = preview.await.unwrap();
    assert_eq!((preview.total, preview.will_change), (20, 10));
    let skipped = preview.skipped.iter().find(|line| line.count > 0).unwrap();
    assert_eq!((skipped.count, skipped.label.as_str()), (10, "already with Nwachukwu, Paul"));
}

async fn a_reassignment_that_is_undone_leaves_alone_who_moved_on(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let first = reassign(&c, c.other_coach.person_id, ids.clone()).await;
    // One moved on, and one came back by a third and a fourth change.
    reassign(&c, c.manager.person_id, ids[..2].to_vec()).await;
    reassign(&c, c.other_coach.person_id, ids[..1].to_vec()).await;
    let confirmed = model::Submission::through(model::submission::Door::Program);
    let undo = c.caseload.undo(&c.manager, first, confirmed).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.manager, undo).await;
    assert_eq!(ledger[&(Some(Outcome::Done), String::new())], 8);
    assert_eq!(ledger[&(Some(Outcome::Skipped), "CHANGED_SINCE".to_owned())], 2);
    assert_eq!(caseload_of(&c, c.coach.person_id).await, 8);
    assert_eq!(caseload_of(&c, c.manager.person_id).await, 1);
}

async fn a_coach_gives_nobody_away(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.coach, to(c.other_coach.person_id), Target::People(ids), 10).await.unwrap_err();
    assert_eq!(refused.status, 403);
    assert!(!Permission::usual(Role::Coach).contains(&Permission::ReassignCoach));
}

async fn a_coach_has_to_have_an_account(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.manager, to(ids[1]), Target::People(ids[..1].to_vec()), 1).await.unwrap_err();
    assert_eq!(refused.errors[0].field, "coachId");
}
