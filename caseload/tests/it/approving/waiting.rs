//! What waits, until when, and what happens meanwhile: nothing.

use caseload::{Limits, mail::Mail};
use model::{Submission, TaskKind, WorkflowStatus, approval::Approval};

use super::*;
use crate::college::{MANY, program};

testkit::on_both!(
    where_nobody_has_asked_for_it_nothing_waits,
    what_waits_is_claimed_by_nobody_until_it_is_approved,
    few_people_and_ones_own_lists_do_not_wait_and_kinds_that_are_named_do,
    more_people_than_a_preview_writes_down_are_written_down_too,
    what_nobody_decides_expires_at_the_door_and_in_the_list,
    a_start_that_has_passed_is_at_once_and_one_to_come_stays,
    its_owner_can_cancel_it_and_start_again_from_the_same_people,
    an_undo_of_many_waits_too_and_can_be_asked_for_again,
    one_account_has_so_many_waiting_and_no_more,
    what_others_decide_on_hides_nothing_from_whoever_can_decide_on_less,
    what_nobody_could_approve_is_refused_before_it_is_submitted,
    a_second_click_is_the_same_task_that_waits,
);

async fn where_nobody_has_asked_for_it_nothing_waits(on: On) {
    let c = College::of(on, 30).await;
    let id = asked(&c, 30).await;
    assert_eq!(state(&c, id).await, TaskState::Waiting);
    c.run().await;
    assert_eq!(state(&c, id).await, TaskState::Done);
    assert_eq!(c.count("SELECT COUNT(*) FROM approval", []).await, 0);
}

async fn what_waits_is_claimed_by_nobody_until_it_is_approved(on: On) {
    let c = college(on, 30).await;
    let preview = c.caseload.actions().preview(&c.manager, inactive(), active()).await.unwrap();
    let needed = preview.approval.unwrap();
    assert_eq!((needed.above, needed.deciders.in_words()), (Some(10), "Ada Min".to_owned()));
    let id = asked(&c, 30).await;
    c.run().await;
    c.test.clock.advance(Duration::from_secs(86_400));
    c.run().await;
    let row = c.caseload.tasks().row(&c.manager, id).await.unwrap();
    assert_eq!((row.state, row.status, row.attempt), (TaskState::Unapproved, WorkflowStatus::Unapproved, 0));
    assert!(row.can_abandon && !row.can_retry && !row.can_undo, "{row:?}");
    assert_eq!(with_status_now(&c, ProgramStatus::Active).await, 30);
    let waiting = c.caseload.approvals().waiting(&c.administrator).await.unwrap();
    let [Approval { can_decide: true, total: 30, will_change: 30, .. }] = waiting.as_slice() else {
        panic!("{waiting:?}")
    };
    let own = c.caseload.approvals().asked(&c.manager).await.unwrap();
    assert_eq!((own.len(), own[0].id, own[0].can_decide), (1, id, false));
    assert!(c.caseload.approvals().waiting(&c.manager).await.unwrap().is_empty(), "nobody decides on their own");

    let said = Some("Checked with the registry");
    c.caseload.approvals().approve(&c.administrator, id, None, said).await.unwrap();
    assert_eq!(state(&c, id).await, TaskState::Waiting);
    c.run().await;
    assert_eq!((state(&c, id).await, with_status_now(&c, ProgramStatus::Inactive).await), (TaskState::Done, 30));
    let told = shown(&c, &c.manager, id).await;
    assert_eq!(
        (told.approval.state, told.approval.decided_by_name.as_deref()),
        (ApprovalState::Approved, Some("Ada Min"))
    );
    let timeline = c.caseload.tasks().get(&c.manager, id).await.unwrap().timeline;
    assert!(
        timeline.iter().any(|event| event.text == "Approved by Ada Min: Checked with the registry"),
        "{timeline:?}"
    );
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.approve'", []).await, 1);
    assert!(c.caseload.approvals().waiting(&c.administrator).await.unwrap().is_empty());
    c.assert_one_open_status().await;
}

async fn few_people_and_ones_own_lists_do_not_wait_and_kinds_that_are_named_do(on: On) {
    let rule = ApprovalRule { kinds: vec![TaskKind::Export], ..above(10) };
    let c = ruled(on, 30, rule).await;
    let people = c.students(&c.manager).await;
    let few = c.submit(&c.manager, inactive(), Target::People(people[..10].to_vec()), 10).await.unwrap().id;
    assert_eq!(state(&c, few).await, TaskState::Waiting);
    let watch = crate::watching::WATCH;
    let own = c.submit(&c.manager, watch, Target::People(people.clone()), 30).await.unwrap().id;
    assert_eq!(state(&c, own).await, TaskState::Waiting);
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let file = c.submit(&c.manager, export, Target::People(people[..1].to_vec()), 1).await.unwrap().id;
    assert_eq!(state(&c, file).await, TaskState::Unapproved);
    let told = shown(&c, &c.administrator, file).await;
    assert_eq!((told.above, table(&told)), (None, vec![line(1, 1, "will be in the file")]));
    approve(&c, &c.administrator, file).await.unwrap();
    c.run().await;
    assert_eq!(state(&c, file).await, TaskState::Done);
}

async fn more_people_than_a_preview_writes_down_are_written_down_too(on: On) {
    let c = College::of_many(on).await;
    c.caseload.with_approvals(above(10));
    let id = asked(&c, MANY).await;
    assert_eq!(c.count("SELECT COUNT(*) FROM task_person WHERE task_id = $1", [id.into()]).await, MANY as i64);
    // Nobody who is active by then joins them, and whoever is not any more is left out.
    let people = c.students(&c.coach).await;
    c.set_status(&people[..2], ProgramStatus::NoShow).await;
    assert_eq!(
        table(&shown(&c, &c.administrator, id).await),
        [line(MANY, MANY - 2, "will change to Inactive"), line(0, 2, "no longer match")]
    );
    approve(&c, &c.administrator, id).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().row(&c.manager, id).await.unwrap();
    assert_eq!((row.state, row.succeeded, row.skipped), (TaskState::Done, MANY - 2, 2));
}

async fn what_nobody_decides_expires_at_the_door_and_in_the_list(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    let until = shown(&c, &c.manager, id).await.approval.expiry_date;
    let now = c.test.db.now().await.unwrap();
    c.test.clock.advance((until - now).to_std().unwrap() - Duration::from_secs(1));
    c.send_notices(false).await;
    assert_eq!(state(&c, id).await, TaskState::Unapproved);
    c.test.clock.advance(Duration::from_secs(2));
    // Nobody has swept yet.
    let late = approve(&c, &c.administrator, id).await.unwrap_err();
    assert_eq!((late.status, late.code.as_str(), &late.more["state"]), (409, "decided", &"EXPIRED".into()));
    assert_eq!(decline(&c, &c.administrator, id, "No").await.unwrap_err().code, "decided");
    assert!(c.caseload.approvals().waiting(&c.administrator).await.unwrap().is_empty());
    c.send_notices(false).await;
    let row = c.caseload.tasks().row(&c.manager, id).await.unwrap();
    assert_eq!((row.state, row.label.as_str()), (TaskState::Declined, "Expired"));
    assert_eq!(row.line.as_deref(), Some("Nobody approved it in time"));
    assert_eq!(shown(&c, &c.manager, id).await.approval.state, ApprovalState::Expired);
    c.run().await;
    assert_eq!(with_status_now(&c, ProgramStatus::Active).await, 30);
    c.send_notices(false).await;
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.approval_expire'", []).await, 1);
}

async fn a_start_that_has_passed_is_at_once_and_one_to_come_stays(on: On) {
    let c = college(on, 30).await;
    let now = c.test.db.now().await.unwrap();
    let starting = async |hours| {
        let start = Some(now + chrono::TimeDelta::hours(hours));
        let submission = Submission { trigger_date: start, confirm_total: Some(30), ..program(inactive(), active()) };
        Box::pin(c.caseload.actions().submit(&c.manager, submission)).await.unwrap().id
    };
    let (soon, later) = (starting(1).await, starting(48).await);
    c.test.clock.advance(Duration::from_secs(2 * 3_600));
    c.run().await;
    assert_eq!(state(&c, soon).await, TaskState::Unapproved, "its start has passed, and it waits all the same");
    approve(&c, &c.administrator, later).await.unwrap();
    assert_eq!(state(&c, later).await, TaskState::Scheduled);
    approve(&c, &c.administrator, soon).await.unwrap();
    c.run().await;
    assert_eq!((state(&c, soon).await, state(&c, later).await), (TaskState::Done, TaskState::Scheduled));
    c.test.clock.advance(Duration::from_secs(47 * 3_600));
    c.run().await;
    assert_eq!(state(&c, later).await, TaskState::Done);
}

async fn its_owner_can_cancel_it_and_start_again_from_the_same_people(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    c.caseload.tasks().abandon(&c.manager, id, None).await.unwrap();
    assert_eq!(state(&c, id).await, TaskState::Cancelled);
    assert_eq!(shown(&c, &c.manager, id).await.approval.state, ApprovalState::Cancelled);
    let late = approve(&c, &c.administrator, id).await.unwrap_err();
    assert_eq!((late.code.as_str(), &late.more["state"]), ("decided", &"CANCELLED".into()));
    let declined = asked(&c, 30).await;
    decline(&c, &c.administrator, declined, "Leave out Harbour").await.unwrap();
    let row = c.caseload.tasks().row(&c.manager, declined).await.unwrap();
    assert_eq!((row.state, row.label.as_str(), row.can_repeat), (TaskState::Declined, "Declined", true));
    assert_eq!(row.line.as_deref(), Some("By Ada Min: “Leave out Harbour”"));
    let (action, selection) = c.caseload.tasks().repeat(&c.manager, declined).await.unwrap();
    assert_eq!((action, selection.count), (inactive(), 30));
}

async fn an_undo_of_many_waits_too_and_can_be_asked_for_again(on: On) {
    let c = college(on, 30).await;
    let id = asked(&c, 30).await;
    approve(&c, &c.administrator, id).await.unwrap();
    c.run().await;
    let by_program = || Submission::from_source(model::submission::SubmitSource::Program);
    let undo = Box::pin(c.caseload.tasks().undo(&c.manager, id, by_program())).await.unwrap().id;
    assert_eq!(state(&c, undo).await, TaskState::Unapproved);
    let again = Box::pin(c.caseload.tasks().undo(&c.manager, id, by_program())).await;
    let again = Problem::from(again.unwrap_err());
    assert_eq!(again.code, "under_way", "it is being undone as long as somebody may approve it");
    decline(&c, &c.administrator, undo, "Not now").await.unwrap();
    let undo = Box::pin(c.caseload.tasks().undo(&c.manager, id, by_program())).await.unwrap().id;
    approve(&c, &c.administrator, undo).await.unwrap();
    c.run().await;
    assert_eq!((state(&c, undo).await, with_status_now(&c, ProgramStatus::Active).await), (TaskState::Done, 30));
}

async fn one_account_has_so_many_waiting_and_no_more(on: On) {
    let limits = Limits { approvals: 2, ..Limits::default() };
    let c = Box::pin(College::within(on, 30, Mail::none(), limits)).await;
    c.caseload.with_approvals(above(10));
    let first = asked(&c, 30).await;
    asked(&c, 30).await;
    let refused = c.submit(&c.manager, inactive(), active(), 30).await.unwrap_err();
    assert_eq!((refused.status, &refused.more["limit"]), (429, &"limits.approvals".into()));
    assert_eq!(c.count("SELECT COUNT(*) FROM approval", []).await, 2);
    c.caseload.tasks().abandon(&c.manager, first, None).await.unwrap();
    asked(&c, 30).await;
}

async fn what_nobody_could_approve_is_refused_before_it_is_submitted(on: On) {
    let c = college(on, 30).await;
    disable(&c, &c.administrator).await;
    let refused = c.submit(&c.manager, inactive(), active(), 30).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (422, "nobody_to_approve"));
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 0);
    // Of one coach's people, that coach can.
    let people = students_of(&c, &c.coach).await;
    let id = c.submit(&c.manager, inactive(), Target::People(people), 15).await.unwrap().id;
    approve(&c, &c.coach, id).await.unwrap();
}

async fn a_second_click_is_the_same_task_that_waits(on: On) {
    let c = college(on, 30).await;
    let preview = c.caseload.actions().preview(&c.manager, inactive(), active()).await.unwrap();
    let submission = Submission { preview: Some(preview.preview_token), ..program(inactive(), active()) };
    let click = || c.caseload.actions().submit(&c.manager, submission.clone());
    let (one, two) = tokio::join!(click(), click());
    assert_eq!(one.unwrap(), two.unwrap());
    click().await.unwrap();
    let counts = ["SELECT COUNT(*) FROM queued_task", "SELECT COUNT(*) FROM approval"];
    for sql in counts {
        assert_eq!(c.count(sql, []).await, 1);
    }
}

/// The list had the first hundred of all that wait, and left out of these what its reader cannot decide on.
async fn what_others_decide_on_hides_nothing_from_whoever_can_decide_on_less(on: On) {
    let c = College::within(on, 2, Mail::none(), Limits { approvals: 200, ..Limits::default() }).await;
    c.caseload.with_approvals(ApprovalRule { kinds: vec![TaskKind::ProgramStatus], ..ApprovalRule::default() });
    let (own, others) = (students_of(&c, &c.coach).await, students_of(&c, &c.other_coach).await);
    for _ in 0..101 {
        c.submit(&c.manager, inactive(), Target::People(others.clone()), 1).await.unwrap();
    }
    c.test.clock.advance(Duration::from_secs(60));
    let last = c.submit(&c.manager, inactive(), Target::People(own), 1).await.unwrap().id;
    let waiting = Box::pin(c.caseload.approvals().waiting(&c.coach)).await.unwrap();
    assert_eq!(waiting.iter().map(|approval| approval.id).collect::<Vec<_>>(), [last]);
    assert_eq!(Box::pin(c.caseload.approvals().waiting(&c.administrator)).await.unwrap().len(), 100);
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'coach'", []).await;
    let coach = c.at_next_request(c.coach.person_id, 0).await.unwrap();
    assert!(Box::pin(c.caseload.approvals().waiting(&coach)).await.unwrap().is_empty());
}
