//! What becomes of the tasks of somebody whose account is disabled: they are handed over, or closed.

use std::time::Duration;

use caseload::{Actor, ApprovalRule, Limits, mail::Mail};
use model::{
    AccountId, Action, Outcome, Problem, ProgramStatus, Submission, Target, TaskId, TaskState, task::TaskDetail,
};
use testkit::On;

use crate::{
    college::{College, program, set},
    exporting::export,
    watching::WATCH,
};

testkit::on_both!(
    what_stands_still_is_handed_over_to_somebody_who_may_run_it,
    whoever_reaches_fewer_skips_the_others,
    what_would_be_about_other_people_is_not_handed_over,
    what_has_been_submitted_under_the_same_key_is_handed_over_all_the_same,
    nobody_gets_more_than_one_account_may_have,
    what_stands_still_is_closed,
    of_two_who_decide_at_once_one_does,
    what_has_ended_meanwhile_is_left_alone,
    what_waits_for_approval_is_neither_handed_over_nor_closed,
    what_goes_on_is_neither_handed_over_nor_closed,
);

/// Somebody's task for tomorrow.
async fn for_tomorrow(c: &College, actor: &Actor, action: Action, target: Target, total: u64) -> TaskId {
    let tomorrow = c.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let later = Submission { confirm_total: Some(total), trigger_date: Some(tomorrow), ..program(action, target) };
    c.caseload.actions().submit(actor, later).await.unwrap().id
}

/// A college of eight whose manager is disabled, and had a task about all of them for tomorrow.
async fn left(on: On) -> (College, TaskId) {
    let c = College::of(on, 8).await;
    let task = for_tomorrow(&c, &c.manager, inactive(), Target::Everyone, 8).await;
    disable(&c, &c.manager).await;
    (c, task)
}

fn inactive() -> Action {
    set(ProgramStatus::Inactive)
}

async fn disable(c: &College, who: &Actor) {
    c.caseload.users().disable(&c.administrator, who.person_id, "left").await.unwrap();
}

async fn hand_over(c: &College, from: AccountId, to: &str) -> Result<u64, Problem> {
    let handed = Box::pin(c.caseload.users().hand_over_tasks(&c.administrator, from, to, "she left")).await;
    handed.map_err(Problem::from)
}

async fn close(c: &College, from: AccountId) -> Result<u64, Problem> {
    c.caseload.users().close_left_tasks(&c.administrator, from, "she left").await.map_err(Problem::from)
}

/// The code of what is wrong with whoever was to get them.
fn wrong(refused: Result<u64, Problem>) -> String {
    let mut problem = refused.unwrap_err();
    let error = problem.errors.remove(0);
    assert_eq!(error.field, "to", "{}", error.message);
    error.code
}

async fn detail(c: &College, id: TaskId) -> TaskDetail {
    c.caseload.tasks().get(&c.administrator, id).await.unwrap()
}

async fn two_days_on(c: &College) {
    c.test.clock.advance(Duration::from_secs(2 * 86_400));
    c.run().await;
}

async fn what_stands_still_is_handed_over_to_somebody_who_may_run_it(on: On) {
    let (c, task) = left(on).await;
    let (admin, manager) = (&c.administrator, c.manager.person_id);
    assert_eq!(c.caseload.users().left_tasks(admin, manager).await.unwrap(), 1);
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'other'", []).await;
    disable(&c, &c.coach).await;
    assert_eq!(wrong(hand_over(&c, manager, " ").await), "required");
    assert_eq!(wrong(hand_over(&c, manager, "nobody").await), "unknown");
    assert_eq!(wrong(hand_over(&c, manager, "manager").await), "unknown", "nobody gets their own");
    assert_eq!(
        wrong(hand_over(&c, manager, "coach").await),
        "unknown",
        "of whoever is disabled it would stand still again"
    );
    assert_eq!(wrong(hand_over(&c, manager, "other").await), "forbidden");
    assert_eq!(hand_over(&c, manager, " Admin ").await, Ok(1));
    assert_eq!(c.caseload.users().left_tasks(admin, manager).await.unwrap(), 0);
    assert_eq!(c.count("SELECT COUNT(*) FROM stopped_owner", []).await, 0, "and nobody has to be told any more");
    two_days_on(&c).await;
    let now = detail(&c, task).await;
    assert_eq!((now.row.state, now.row.owner_id, now.row.succeeded), (TaskState::Done, admin.person_id, 8));
    let told: Vec<&str> = now.timeline.iter().rev().take(2).map(|event| event.text.as_str()).collect();
    assert_eq!(told, ["Submitted by Katrin Lund", "Handed over by Ada Min: she left"]);
    let by = "SELECT COUNT(*) FROM program_status_history WHERE task_id = $1 AND created_by = $2";
    assert_eq!(c.count(by, [task.into(), admin.person_id.into()]).await, 8, "as whom it ran");
    let audited = "SELECT COUNT(*) FROM audit WHERE action = 'tasks.hand-over' AND object_id = $1 AND actor_id = $2
        AND detail LIKE '%\"count\":1%' AND detail LIKE $3";
    let with_task = format!("%{task}%");
    assert_eq!(c.count(audited, [manager.to_string().into(), admin.person_id.into(), with_task.into()]).await, 1);
}

async fn whoever_reaches_fewer_skips_the_others(on: On) {
    let (c, task) = left(on).await;
    assert_eq!(hand_over(&c, c.manager.person_id, "coach").await, Ok(1));
    two_days_on(&c).await;
    let ledger = c.ledger(&c.administrator, task).await;
    assert_eq!(ledger[&(Some(Outcome::Done), String::new())], 4);
    assert_eq!(ledger[&(Some(Outcome::Skipped), "OUT_OF_REACH".to_owned())], 4);
}

async fn what_would_be_about_other_people_is_not_handed_over(on: On) {
    let c = College::of(on, 8).await;
    // What is found once it starts: of the coach it is half of all, of the manager all.
    let of_coach = for_tomorrow(&c, &c.coach, export("CSV"), Target::Everyone, 4).await;
    let of_manager = for_tomorrow(&c, &c.manager, export("CSV"), Target::Everyone, 8).await;
    disable(&c, &c.coach).await;
    disable(&c, &c.manager).await;
    assert_eq!(wrong(hand_over(&c, c.coach.person_id, "admin").await), "other_people");
    assert_eq!(wrong(hand_over(&c, c.coach.person_id, "other").await), "other_people");
    assert_eq!(detail(&c, of_coach).await.row.owner_id, c.coach.person_id);
    assert_eq!(hand_over(&c, c.manager.person_id, "other").await, Ok(1));
    two_days_on(&c).await;
    assert_eq!(detail(&c, of_manager).await.row.succeeded, 4, "those whom the new owner reaches");
    // A watch list is its owner’s own.
    let own = c.students(&c.other_coach).await;
    for_tomorrow(&c, &c.other_coach, WATCH, Target::People(own), 4).await;
    disable(&c, &c.other_coach).await;
    assert_eq!(wrong(hand_over(&c, c.other_coach.person_id, "admin").await), "personal");
}

async fn what_has_been_submitted_under_the_same_key_is_handed_over_all_the_same(on: On) {
    let c = College::of(on, 8).await;
    let tomorrow = c.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let keyed = Submission {
        confirm_total: Some(8),
        trigger_date: Some(tomorrow),
        idempotency_key: Some("spring".to_owned()),
        ..program(inactive(), Target::Everyone)
    };
    let theirs = c.caseload.actions().submit(&c.manager, keyed.clone()).await.unwrap().id;
    let own = c.caseload.actions().submit(&c.administrator, keyed.clone()).await.unwrap().id;
    disable(&c, &c.manager).await;
    assert_eq!(hand_over(&c, c.manager.person_id, "admin").await, Ok(1));
    assert_eq!(detail(&c, theirs).await.row.owner_id, c.administrator.person_id);
    assert_eq!(
        c.caseload.actions().submit(&c.administrator, keyed).await.unwrap().id,
        own,
        "the key is still their own task’s"
    );
}

async fn nobody_gets_more_than_one_account_may_have(on: On) {
    let limits = Limits { waiting_tasks: 1, ..Limits::default() };
    let c = College::within(on, 8, Mail::none(), limits).await;
    let own = c.students(&c.administrator).await;
    for actor in [&c.manager, &c.administrator] {
        for_tomorrow(&c, actor, inactive(), Target::People(own.clone()), 8).await;
    }
    disable(&c, &c.manager).await;
    assert_eq!(wrong(hand_over(&c, c.manager.person_id, "admin").await), "too_many");
    assert_eq!(c.caseload.users().left_tasks(&c.administrator, c.manager.person_id).await.unwrap(), 1);
    assert_eq!(hand_over(&c, c.manager.person_id, "coach").await, Ok(1));
}

async fn what_stands_still_is_closed(on: On) {
    let (c, task) = left(on).await;
    let (admin, manager) = (&c.administrator, c.manager.person_id);
    let unsaid = c.caseload.users().close_left_tasks(admin, manager, "").await.unwrap_err();
    assert_eq!(Problem::from(unsaid).errors[0].field, "reason");
    assert_eq!(close(&c, manager).await, Ok(1));
    two_days_on(&c).await;
    let row = detail(&c, task).await.row;
    assert_eq!((row.state, row.succeeded), (TaskState::Abandoned, 0));
    assert_eq!(row.finish_reason.as_deref(), Some("she left"));
    assert_eq!(c.count("SELECT COUNT(*) FROM stopped_owner", []).await, 0);
    let audited = "SELECT COUNT(*) FROM audit WHERE action = 'tasks.abandon' AND object_id = $1";
    assert_eq!(c.count(audited, [manager.to_string().into()]).await, 1);
}

async fn of_two_who_decide_at_once_one_does(on: On) {
    let (c, task) = left(on).await;
    let manager = c.manager.person_id;
    let (handed, closed) = tokio::join!(hand_over(&c, manager, "admin"), close(&c, manager));
    let won = usize::from(handed.is_ok()) + usize::from(closed.is_ok());
    assert_eq!(won, 1, "{handed:?} {closed:?}");
    let lost = handed.as_ref().err().or(closed.as_ref().err()).unwrap();
    assert_eq!(lost.code, "nothing_to_do");
    two_days_on(&c).await;
    let expected = if handed.is_ok() { TaskState::Done } else { TaskState::Abandoned };
    assert_eq!(detail(&c, task).await.row.state, expected);
}

async fn what_has_ended_meanwhile_is_left_alone(on: On) {
    let c = College::of(on, 8).await;
    let manager = c.manager.person_id;
    let ended = for_tomorrow(&c, &c.manager, inactive(), Target::Everyone, 8).await;
    let stays = for_tomorrow(&c, &c.manager, set(ProgramStatus::NoShow), Target::Everyone, 8).await;
    disable(&c, &c.manager).await;
    assert_eq!(c.caseload.users().left_tasks(&c.administrator, manager).await.unwrap(), 2, "as the page says");
    c.caseload.admin().abandon_any(&c.administrator, ended, "not this one").await.unwrap();
    assert_eq!(hand_over(&c, manager, "admin").await, Ok(1));
    assert_eq!(detail(&c, ended).await.row.owner_id, manager);
    assert_eq!(detail(&c, stays).await.row.owner_id, c.administrator.person_id);
    assert_eq!(hand_over(&c, manager, "admin").await.unwrap_err().code, "nothing_to_do");
}

async fn what_waits_for_approval_is_neither_handed_over_nor_closed(on: On) {
    let c = College::of(on, 8).await;
    c.caseload.with_approvals(ApprovalRule { above: Some(5), ..ApprovalRule::default() });
    let manager = c.manager.person_id;
    let asked = for_tomorrow(&c, &c.manager, inactive(), Target::Everyone, 8).await;
    disable(&c, &c.manager).await;
    assert_eq!(c.caseload.users().left_tasks(&c.administrator, manager).await.unwrap(), 0);
    assert_eq!(hand_over(&c, manager, "admin").await.unwrap_err().code, "nothing_to_do");
    assert_eq!(close(&c, manager).await.unwrap_err().code, "nothing_to_do");
    let approvals = c.caseload.approvals();
    let refused = Box::pin(approvals.approve(&c.administrator, asked, None, None)).await.unwrap_err();
    assert_eq!(Problem::from(refused).code, "submitter_gone");
    Box::pin(approvals.decline(&c.administrator, asked, Some("She left"))).await.unwrap();
    assert_eq!(detail(&c, asked).await.row.state, TaskState::Declined);
}

async fn what_goes_on_is_neither_handed_over_nor_closed(on: On) {
    let c = College::of(on, 8).await;
    let task = for_tomorrow(&c, &c.manager, inactive(), Target::Everyone, 8).await;
    let manager = c.manager.person_id;
    assert_eq!(c.caseload.users().left_tasks(&c.administrator, manager).await.unwrap(), 0);
    assert_eq!(hand_over(&c, manager, "admin").await.unwrap_err().code, "nothing_to_do");
    assert_eq!(close(&c, manager).await.unwrap_err().code, "nothing_to_do");
    let users = c.caseload.users();
    let refused = Box::pin(users.hand_over_tasks(&c.manager, manager, "admin", "x")).await.unwrap_err();
    assert_eq!(Problem::from(refused).code, "forbidden");
    let refused = users.close_left_tasks(&c.manager, manager, "x").await.unwrap_err();
    assert_eq!(Problem::from(refused).code, "forbidden");
    two_days_on(&c).await;
    assert_eq!(detail(&c, task).await.row.state, TaskState::Done);
}
