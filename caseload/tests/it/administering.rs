//! What administrators see and do: one audited operation each, seen by those whose tasks they are, and by nobody else.

use std::time::Duration;

use caseload::{Added, NewToken, NewUser, Reauthenticated, SelfTestRequest};
use model::{
    Cursor, Permission, Problem, ProgramStatus, Role, Target, TaskId, TaskState, Total, WorkflowStatus,
    account::TokenScope,
    admin::{
        AdminTaskQuery, AttentionCode, AuditQuery, BulkDone, BulkPreview, BulkVerb, Confirmed, KindInfo, Level, Window,
    },
    task::TaskGroup,
};
use queue::{lock::LockRequest, self_test::SelfTestEnding};
use testkit::On;

use crate::college::{College, PASSWORD, refuse, set};

testkit::tests!(a_step_that_kept_everybody_waiting_is_named_on_the_overview);

testkit::on_both!(
    the_failed_of_one_cause_are_retried_as_one_operation,
    what_others_did_since_the_check_is_not_done_again,
    only_what_the_check_saw_is_reached,
    all_that_a_check_keeps_can_be_looked_at,
    of_tasks_to_be_closed_those_that_run_are_counted,
    without_any_filter_everything_has_to_be_meant,
    a_lock_that_changed_hands_is_not_released,
    many_are_given_up_and_their_owners_are_told_why,
    a_retry_is_seen_by_whose_task_it_is_with_the_reason,
    of_people_who_failed_it_is_seen_too,
    everything_done_is_in_the_audit_once_with_before_and_after,
    what_needs_a_look_is_said_and_goes_away,
    a_held_email_is_scheduled_on_every_page_that_counts_it,
    why_people_failed_in_a_task_that_is_done_is_said_by_number,
    why_a_task_does_not_run_is_said,
    a_request_is_shown_without_people,
    accounts_are_kept_by_administrators,
    an_account_without_a_name_is_refused,
    an_account_whose_name_could_not_be_chosen_today_still_signs_in,
    a_school_id_that_nobody_has_is_taken_once_somebody_says_that_it_is_new,
    managers_and_coaches_see_none_of_it,
);

async fn proven(c: &College) -> Reauthenticated {
    c.caseload.accounts().prove(&c.administrator, None, Some(PASSWORD)).await.unwrap()
}

async fn failed(c: &College, count: u32) -> Vec<TaskId> {
    let request =
        SelfTestRequest { count: Some(count), outcome: SelfTestEnding::Permanent, fail_times: 1, ..Default::default() };
    let tasks = c.caseload.actions().self_test(&c.administrator, request).await.unwrap();
    c.run().await;
    tasks.iter().map(|task| task.id).collect()
}

/// What somebody who looks at it now says yes to.
async fn looked(c: &College, verb: BulkVerb, query: &AdminTaskQuery) -> Confirmed {
    seen(&c.caseload.admin().preview_bulk(&c.administrator, verb, query).await.unwrap())
}

fn seen(preview: &BulkPreview) -> Confirmed {
    Confirmed { preview_token: preview.preview_token, everything: false }
}

async fn traces(c: &College, action: &str) -> i64 {
    c.count("SELECT COUNT(*) FROM audit WHERE action = $1", [action.into()]).await
}

async fn the_failed_of_one_cause_are_retried_as_one_operation(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let ids = failed(&c, 5).await;
    let failures = c.caseload.admin().failures(admin, Window::Day).await.unwrap();
    assert_eq!((failures.groups.len(), failures.groups[0].dead, failures.groups[0].tasks), (1, 5, 5));
    let query = AdminTaskQuery { cause: Some(failures.groups[0].cause.clone()), ..AdminTaskQuery::default() };
    let preview = c.caseload.admin().preview_bulk(admin, BulkVerb::Retry, &query).await.unwrap();
    assert_eq!((preview.will_change, preview.sample.len(), preview.left.len()), (5, 5, 0));
    assert_eq!(
        c.caseload
            .admin()
            .apply_bulk(admin, BulkVerb::Retry, &seen(&preview), "the server is back")
            .await
            .unwrap()
            .changed,
        5
    );
    c.run().await;
    for id in &ids {
        assert_eq!(c.caseload.tasks().get(admin, *id).await.unwrap().row.status, WorkflowStatus::Completed);
    }
    assert_eq!(traces(&c, "tasks.retry").await, 1);
    let entry = &c.caseload.audit().list(admin, &AuditQuery::default()).await.unwrap().items[0];
    assert_eq!((entry.action.as_str(), entry.reason.as_deref()), ("tasks.retry", Some("the server is back")));
    assert_eq!((&entry.detail["count"], &entry.detail["before"]["FAILED"]), (&5.into(), &5.into()));
    assert_eq!(c.caseload.admin().failures(admin, Window::Day).await.unwrap().groups[0].dead, 0);
}

async fn of_tasks_to_be_closed_those_that_run_are_counted(on: On) {
    let c = College::of(on, 1).await;
    let ids = failed(&c, 2).await;
    let runs = "UPDATE queued_task SET workflow_status = 'EXECUTING', scheduled_by_process = 'one' WHERE id = $1";
    c.write(runs, [ids[0].into()]).await;
    let query = AdminTaskQuery { only: Some(ids), ..AdminTaskQuery::default() };
    let preview = c.caseload.admin().preview_bulk(&c.administrator, BulkVerb::Abandon, &query).await.unwrap();
    assert_eq!((preview.will_change, preview.running), (2, 1));
}

async fn what_others_did_since_the_check_is_not_done_again(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let ids = failed(&c, 4).await;
    let query = AdminTaskQuery { states: vec![TaskState::Failed], ..AdminTaskQuery::default() };
    let four = looked(&c, BulkVerb::Abandon, &query).await;
    c.caseload.admin().retry_any(admin, ids[0], "one").await.unwrap();
    c.caseload.admin().retry_any(admin, ids[1], "two").await.unwrap();
    let abandon = async || c.caseload.admin().apply_bulk(admin, BulkVerb::Abandon, &four, "a mistake").await;
    assert_eq!(abandon().await.unwrap(), BulkDone { changed: 2, left: 2 });
    let again = Problem::from(abandon().await.unwrap_err());
    assert_eq!(again.code, "nothing_to_do");
    let other = c.caseload.admin().apply_bulk(admin, BulkVerb::Retry, &four, "another verb").await;
    assert_eq!(Problem::from(other.unwrap_err()).errors[0].field, "previewToken");
    c.test.clock.advance(Duration::from_secs(1_801));
    assert_eq!(Problem::from(abandon().await.unwrap_err()).errors[0].field, "previewToken");
    assert_eq!(traces(&c, "tasks.abandon").await, 1);
}

async fn only_what_the_check_saw_is_reached(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let ids = failed(&c, 3).await;
    let query = AdminTaskQuery { states: vec![TaskState::Failed], ..AdminTaskQuery::default() };
    let three = looked(&c, BulkVerb::Abandon, &query).await;
    c.test.clock.advance(Duration::from_secs(5));
    // One goes on and fails anew, and another is submitted and fails: there are as many as before, and more.
    c.write(
        "UPDATE queued_task SET execution_spec = REPLACE(execution_spec, '\"failTimes\":1', '\"failTimes\":9')",
        [],
    )
    .await;
    c.caseload.admin().retry_any(admin, ids[0], "once more").await.unwrap();
    let late = failed(&c, 1).await[0];
    let now = c.caseload.admin().preview_bulk(admin, BulkVerb::Abandon, &query).await.unwrap();
    assert_eq!(now.will_change, 4);
    let done = c.caseload.admin().apply_bulk(admin, BulkVerb::Abandon, &three, "a mistake").await.unwrap();
    assert_eq!(done, BulkDone { changed: 2, left: 1 });
    let state = async |id| c.caseload.tasks().get(admin, id).await.unwrap().row.state;
    assert_eq!((state(ids[0]).await, state(late).await), (TaskState::Failed, TaskState::Failed));
    assert_eq!((state(ids[1]).await, state(ids[2]).await), (TaskState::Cancelled, TaskState::Cancelled));
    let (trail, _) = c.caseload.audit().of_task(admin, ids[1]).await.unwrap();
    assert_eq!((trail[0].action.as_str(), trail[0].reason.as_deref()), ("tasks.abandon", Some("a mistake")));
}

async fn all_that_a_check_keeps_can_be_looked_at(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let ids = failed(&c, 30).await;
    let query = AdminTaskQuery { states: vec![TaskState::Failed, TaskState::Done], ..AdminTaskQuery::default() };
    let looked = c.caseload.admin().preview_bulk(admin, BulkVerb::Retry, &query).await.unwrap();
    let token = looked.preview_token;
    // What comes later is not among them, and what has changed still is.
    c.test.clock.advance(Duration::from_secs(5));
    failed(&c, 1).await;
    c.caseload.admin().abandon_any(admin, ids[0], "a mistake").await.unwrap();

    let page = async |after: Option<&Cursor>| c.caseload.admin().bulk_tasks(admin, BulkVerb::Retry, token, after).await;
    let first = page(None).await.unwrap();
    let rest = page(first.next.as_ref()).await.unwrap();
    assert_eq!((first.items.len(), first.total, rest.next), (25, Total::exactly(30), None));
    let seen: Vec<TaskId> = first.items.iter().chain(&rest.items).map(|row| row.id).collect();
    assert_eq!(seen, ids.iter().rev().copied().collect::<Vec<_>>(), "each once, the latest first");
    assert_eq!(rest.items.last().unwrap().state, TaskState::Cancelled, "as they are now");
    let again = c.caseload.admin().bulk_again(admin, BulkVerb::Retry, &query, token).await.unwrap();
    assert_eq!((again.will_change, again.preview_token, again.more), (30, token, false));
    assert_eq!((again.open, again.left), (looked.open, looked.left));

    let missing = Problem::from(page(Some(&Cursor::after("0"))).await.unwrap_err());
    assert_eq!(missing.errors[0].field, "after");
    for (verb, later) in [(BulkVerb::Abandon, 0), (BulkVerb::Retry, 1_801)] {
        c.test.clock.advance(Duration::from_secs(later));
        let refused = [
            c.caseload.admin().bulk_again(admin, verb, &query, token).await.err(),
            c.caseload.admin().bulk_tasks(admin, verb, token, None).await.err(),
        ];
        for error in refused {
            assert_eq!(error.map(Problem::from).unwrap().errors[0].field, "previewToken");
        }
    }
}

async fn without_any_filter_everything_has_to_be_meant(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    failed(&c, 2).await;
    let all = AdminTaskQuery::default();
    let two = looked(&c, BulkVerb::Abandon, &all).await;
    let refused =
        Problem::from(c.caseload.admin().apply_bulk(admin, BulkVerb::Abandon, &two, "all").await.unwrap_err());
    assert_eq!(refused.errors[0].field, "everything");
    let meant = Confirmed { everything: true, ..two };
    assert_eq!(c.caseload.admin().apply_bulk(admin, BulkVerb::Abandon, &meant, "all").await.unwrap().changed, 2);
}

async fn a_lock_that_changed_hands_is_not_released(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let lock = async |holder: &str| {
        c.caseload.queue().locks(holder).try_lock(LockRequest::new("sweep")).await.unwrap().unwrap()
    };
    let first = lock("one").await;
    let shown = c.caseload.admin().locks(admin).await.unwrap()[0].locked_date;
    c.test.clock.advance(Duration::from_secs(5));
    assert!(first.release().await.unwrap());
    let _second = lock("two").await;
    let refused =
        Problem::from(c.caseload.admin().release_lock(admin, "sweep", Some(shown), "it hangs").await.unwrap_err());
    assert_eq!((refused.code.as_str(), &refused.more["holder"]), ("changed_since", &"two".into()));
    assert!(c.caseload.admin().locks(admin).await.unwrap()[0].held);
    assert_eq!(traces(&c, "lock.release").await, 0);
    let shown = c.caseload.admin().locks(admin).await.unwrap()[0].locked_date;
    assert!(c.caseload.admin().release_lock(admin, "sweep", Some(shown), "it hangs").await.unwrap());
    assert_eq!(traces(&c, "lock.release").await, 1);
}

async fn many_are_given_up_and_their_owners_are_told_why(on: On) {
    let c = College::of(on, 10).await;
    let admin = &c.administrator;
    c.caseload.admin().pause_kind(admin, "program-status", "while we look").await.unwrap();
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    let only = AdminTaskQuery { only: Some(vec![id]), ..AdminTaskQuery::default() };
    let retry = c.caseload.admin().preview_bulk(admin, BulkVerb::Retry, &only).await.unwrap();
    assert_eq!(
        (retry.will_change, retry.left[0].state, retry.left[0].count),
        (0, TaskState::Waiting, Total::exactly(1))
    );
    let one = looked(&c, BulkVerb::Abandon, &only).await;
    assert_eq!(
        c.caseload.admin().apply_bulk(admin, BulkVerb::Abandon, &one, "the wrong list").await.unwrap().changed,
        1
    );
    let told = c.caseload.tasks().get(&c.manager, id).await.unwrap();
    assert_eq!(told.row.state, TaskState::Abandoned);
    assert_eq!(told.timeline[0].text, "Closed by Ada Min: the wrong list");
}

async fn a_retry_is_seen_by_whose_task_it_is_with_the_reason(on: On) {
    let c = College::of(on, 10).await;
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    let fail = "UPDATE queued_task SET workflow_status = 'FAILURE', workflow_stopped_date = created_date WHERE id = $1";
    c.write(fail, [id.into()]).await;
    let without = Problem::from(c.caseload.tasks().retry(&c.administrator, id, None).await.unwrap_err());
    assert_eq!(without.errors[0].field, "reason");
    c.caseload.admin().retry_any(&c.administrator, id, "the store is back").await.unwrap();
    c.run().await;
    let told = c.caseload.tasks().get(&c.manager, id).await.unwrap();
    assert_eq!(told.row.status, WorkflowStatus::Completed);
    let texts: Vec<_> = told.timeline.iter().map(|event| event.text.as_str()).collect();
    assert_eq!(texts, ["Done", "Started", "Retried by Ada Min: the store is back", "Submitted by Katrin Lund"]);
    let conflict = Problem::from(c.caseload.admin().retry_any(&c.administrator, id, "again").await.unwrap_err());
    assert_eq!(conflict.status, 409);
}

async fn of_people_who_failed_it_is_seen_too(on: On) {
    let c = College::of(on, 10).await;
    let people = c.students(&c.manager).await;
    refuse(&c, "keep_one", people[3]).await;
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(people), 10).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, id).await.unwrap().row.state, TaskState::DoneWithProblems);
    let child = c.caseload.admin().retry_any(&c.administrator, id, "the rule is gone").await.unwrap();
    assert_ne!(child, id);
    let told = c.caseload.tasks().get(&c.manager, id).await.unwrap();
    assert_eq!(told.timeline[0].text, "Retried by Ada Min: the rule is gone");
    let child = c.caseload.tasks().get(&c.administrator, child).await.unwrap();
    assert_eq!((child.row.reason.as_deref(), child.row.total), (Some("the rule is gone"), Some(1)));
    assert_eq!(traces(&c, "task.retry").await, 1);
}

async fn everything_done_is_in_the_audit_once_with_before_and_after(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let ids = failed(&c, 2).await;
    let _held = c.caseload.queue().locks("somebody").try_lock(LockRequest::new("sweep")).await.unwrap().unwrap();
    let entered = "INSERT INTO schedule (name, expression, time_zone, next_fire, paused)
        VALUES ('tidy', 'every 3600s', 'UTC', {after:600}, FALSE)";
    c.write(entered, []).await;
    c.caseload.admin().retry_any(admin, ids[0], "why 1").await.unwrap();
    c.caseload.admin().abandon_any(admin, ids[1], "why 2").await.unwrap();
    assert!(c.caseload.admin().release_lock(admin, "sweep", None, "why 3").await.unwrap());
    assert!(c.caseload.admin().pause_kind(admin, "export", "why 4").await.unwrap());
    assert!(c.caseload.admin().resume_kind(admin, "export", "why 5").await.unwrap());
    assert!(c.caseload.admin().run_schedule(admin, "tidy", "why 6").await.unwrap());
    assert!(c.caseload.admin().pause_schedule(admin, "tidy", true, "why 7").await.unwrap());
    assert!(!c.caseload.admin().pause_schedule(admin, "tidy", true, "why not").await.unwrap());
    assert!(!c.caseload.admin().run_schedule(admin, "tidy", "why not").await.unwrap());
    assert!(c.caseload.admin().pause_schedule(admin, "tidy", false, "why 8").await.unwrap());
    c.caseload
        .users()
        .change(&proven(&c).await, c.coach.person_id, Role::Manager, &[Permission::Watch], "why 9")
        .await
        .unwrap();
    c.caseload.users().disable(admin, c.coach.person_id, "why 10").await.unwrap();
    c.caseload.users().enable(&proven(&c).await, c.coach.person_id, "why 11").await.unwrap();
    let query = AuditQuery { actor: Some("admin".to_owned()), limit: Some(100), ..AuditQuery::default() };
    let mut entries = c.caseload.audit().list(admin, &query).await.unwrap().items;
    entries.retain(|entry| entry.reason.is_some());
    entries.reverse();
    let told: Vec<_> = entries.iter().map(|entry| (entry.action.as_str(), entry.reason.as_deref().unwrap())).collect();
    let wanted = [
        ("task.retry", "why 1"),
        ("task.abandon", "why 2"),
        ("lock.release", "why 3"),
        ("kind.pause", "why 4"),
        ("kind.resume", "why 5"),
        ("schedule.run", "why 6"),
        ("schedule.pause", "why 7"),
        ("schedule.resume", "why 8"),
        ("account.change", "why 9"),
        ("account.disable", "why 10"),
        ("account.enable", "why 11"),
    ];
    assert_eq!(told, wanted);
    for entry in &entries {
        assert_eq!(entry.actor_name.as_deref(), Some("Ada Min"), "{}", entry.action);
        let (before, after) = (&entry.detail["before"], &entry.detail["after"]);
        assert!(!before.is_null() && !after.is_null() && before != after, "{}: {before} {after}", entry.action);
        assert_ne!(entry.label, entry.action, "every action has its words");
    }
}

async fn what_needs_a_look_is_said_and_goes_away(on: On) {
    let c = College::of(on, 10).await;
    let admin = &c.administrator;
    let codes = async || {
        c.test.clock.advance(Duration::from_secs(2));
        let health = c.caseload.admin().health(admin).await.unwrap();
        health.attention.iter().map(|item| (item.level, item.code)).collect::<Vec<_>>()
    };
    let note = (Level::Note, AttentionCode::MailNotConfigured);
    assert_eq!(codes().await, std::slice::from_ref(&note));
    assert_eq!(c.caseload.admin().health(admin).await.unwrap().headline(), "1 note");
    failed(&c, 3).await;
    c.caseload.admin().pause_kind(admin, "program-status", "while we look").await.unwrap();
    let people = Target::People(c.students(&c.manager).await);
    c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap();
    let _held = c.caseload.queue().locks("somebody").try_lock(LockRequest::new("sweep")).await.unwrap().unwrap();
    c.write("UPDATE scheduler_lock SET at_most = 1", []).await;
    let entered = "INSERT INTO schedule (name, expression, time_zone, next_fire, paused)
        VALUES ('tidy', 'every 3600s', 'UTC', {after:-600}, FALSE)";
    c.write(entered, []).await;
    let found = codes().await;
    let wanted = [
        (Level::Bad, AttentionCode::Failing),
        (Level::Warn, AttentionCode::KindPaused),
        (Level::Warn, AttentionCode::LateSchedule),
        (Level::Warn, AttentionCode::LockOverdue),
        note,
    ];
    assert_eq!(found, wanted);
    assert_eq!(c.caseload.admin().health(admin).await.unwrap().headline(), "1 problem, 3 warnings, 1 note");
    c.caseload.admin().resume_kind(admin, "program-status", "all is well").await.unwrap();
    let query = AdminTaskQuery { states: vec![TaskState::Failed], ..AdminTaskQuery::default() };
    let three = looked(&c, BulkVerb::Retry, &query).await;
    c.caseload.admin().apply_bulk(admin, BulkVerb::Retry, &three, "it is back").await.unwrap();
    c.run().await;
    c.caseload.admin().release_lock(admin, "sweep", None, "its host burnt down").await.unwrap();
    c.write("DELETE FROM schedule", []).await;
    assert_eq!(codes().await, [note]);
}

async fn a_held_email_is_scheduled_on_every_page_that_counts_it(on: On) {
    let c = College::of(on, 10).await;
    let admin = &c.administrator;
    failed(&c, 1).await;
    let people = Target::People(c.students(&c.manager).await);
    // One that is due, one that is held, one that is to start later, and one that waits to retry.
    let tasks = [
        c.submit(&c.manager, set(ProgramStatus::Inactive), people.clone(), 10).await.unwrap().id,
        c.submit(&c.manager, set(ProgramStatus::Inactive), people.clone(), 10).await.unwrap().id,
        c.submit(&c.manager, set(ProgramStatus::Inactive), people.clone(), 10).await.unwrap().id,
        c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id,
    ];
    let later = "UPDATE queued_task SET trigger_date = {after:600}, ";
    c.write(&format!("{later} held = TRUE, execution_component_name = 'email' WHERE id = $1"), [tasks[1].into()]).await;
    c.write(&format!("{later} held = FALSE WHERE id = $1"), [tasks[2].into()]).await;
    c.write(&format!("{later} failures = 1, attempt = 1 WHERE id = $1"), [tasks[3].into()]).await;

    c.test.clock.advance(Duration::from_secs(2));
    let health = c.caseload.admin().health(admin).await.unwrap();
    let kinds = c.caseload.admin().kinds(admin).await.unwrap();
    let kind = |name: &str| kinds.iter().find(|kind| kind.kind == name).unwrap();
    let email = kind("email");
    assert_eq!((email.waiting.value, email.scheduled.value, email.retrying.value), (0, 1, 0), "the held one");

    let groups: Vec<Option<TaskGroup>> = TaskGroup::ALL.iter().copied().map(Some).collect();
    let listed = c.caseload.admin().task_counts(admin, &AdminTaskQuery::default(), &groups).await.unwrap();
    let listed = |group: TaskGroup| listed[TaskGroup::ALL.iter().position(|other| *other == group).unwrap()];
    let at_kinds = |of: fn(&KindInfo) -> Total| kinds.iter().map(of).map(|count| count.value).sum::<u64>();
    for (group, overview, of_kinds, wanted) in [
        (TaskGroup::Waiting, health.waiting, at_kinds(|kind| kind.waiting), 1),
        (TaskGroup::Scheduled, health.scheduled, at_kinds(|kind| kind.scheduled), 2),
        (TaskGroup::ToRetry, health.retrying, at_kinds(|kind| kind.retrying), 1),
    ] {
        let everywhere = [listed(group).value, overview.value, of_kinds];
        assert_eq!(everywhere, [wanted; 3], "{}: all tasks, overview, kinds", group.label());
    }
    assert_eq!((listed(TaskGroup::Running).value, health.running), (0, 0));
    assert_eq!((listed(TaskGroup::Failed).value, health.failed_hour.value), (1, 1));
}

async fn why_people_failed_in_a_task_that_is_done_is_said_by_number(on: On) {
    let c = College::of(on, 10).await;
    let admin = &c.administrator;
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    c.run().await;
    let refused = "UPDATE task_person SET outcome = 'FAILED', reason = 'REFUSED' WHERE task_id = $1 AND position < 3";
    c.write(refused, [id.into()]).await;
    let people =
        c.count("SELECT COUNT(*) FROM task_person WHERE task_id = $1 AND outcome = 'FAILED'", [id.into()]).await;
    assert!(people > 1);
    let counted = "UPDATE queued_task SET failed = $2, succeeded = succeeded - $2 WHERE id = $1";
    c.write(counted, [id.into(), people.into()]).await;
    let task = c.caseload.admin().task(admin, id).await.unwrap();
    assert_eq!(task.task.row.state, TaskState::DoneWithProblems);
    let told: Vec<_> = task.reasons.iter().map(|why| (why.reason.as_str(), why.count.cast_signed())).collect();
    assert_eq!(told, [("REFUSED", people)]);
    let history = c.caseload.admin().history(admin, Window::Hour, None).await.unwrap();
    let failed = history.failed_people;
    assert_eq!((failed.people.value.cast_signed(), failed.tasks.value), (people, 1), "on the overview too");
    let failures = c.caseload.admin().failures(admin, Window::Hour).await.unwrap();
    let [reason] = failures.people.as_slice() else { panic!("{:?}", failures.people) };
    assert_eq!((reason.reason.as_str(), reason.people.cast_signed(), reason.tasks), ("REFUSED", people, 1));
    assert_eq!(reason.history.last().map(|people| people.cast_signed()), Some(people), "it was just now");
    let these = AdminTaskQuery { only: Some(reason.task_ids.clone()), ..AdminTaskQuery::default() };
    let listed = c.caseload.admin().task_list(admin, &these).await.unwrap();
    assert_eq!((listed.total.value, listed.items[0].row.id), (reason.tasks, id), "the number leads to as many");
    let others = c.caseload.admin().history(admin, Window::Hour, Some("email")).await.unwrap();
    assert_eq!(others.failed_people.people.value, 0);
}

async fn a_step_that_kept_everybody_waiting_is_named_on_the_overview() {
    let c = College::of(On::Sqlite, 1).await;
    let request = SelfTestRequest { hold_ms: 1_050, ..Default::default() };
    let task = c.caseload.actions().self_test(&c.administrator, request).await.unwrap().remove(0).id;
    c.run().await;
    let health = c.caseload.admin().health(&c.administrator).await.unwrap();
    let named = health.attention.iter().find(|item| item.code == AttentionCode::LongStep).unwrap();
    assert_eq!((named.level, named.about.clone()), (Level::Warn, Some(task.to_string())));
    assert!(named.text.contains("Self-test") && named.text.contains("for 1"), "{}", named.text);
}

async fn why_a_task_does_not_run_is_said(on: On) {
    let c = College::of(on, 10).await;
    let admin = &c.administrator;
    c.caseload.admin().pause_kind(admin, "program-status", "while we look").await.unwrap();
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    let blocking = async || {
        let task = c.caseload.admin().task(admin, id).await.unwrap();
        task.standing.into_iter().filter(|check| check.blocks).map(|check| check.code).collect::<Vec<_>>()
    };
    assert_eq!(blocking().await, ["kind_paused"]);
    c.write("UPDATE queued_task SET execution_component_name = 'of-tomorrow' WHERE id = $1", [id.into()]).await;
    assert_eq!(blocking().await, ["unknown_kind"]);
    c.write("UPDATE queued_task SET trigger_date = {after:600} WHERE id = $1", [id.into()]).await;
    assert_eq!(blocking().await, ["not_due", "unknown_kind"]);
    c.write("DELETE FROM process", []).await;
    assert_eq!(blocking().await, ["not_due", "no_process"]);
}

async fn a_request_is_shown_without_people(on: On) {
    let c = College::of(on, 10).await;
    let people = Target::People(c.students(&c.manager).await);
    let id = c.submit(&c.manager, set(ProgramStatus::Inactive), people, 10).await.unwrap().id;
    let task = c.caseload.admin().task(&c.administrator, id).await.unwrap();
    let shown = task.execution_spec.unwrap().to_string();
    assert!(task.redacted && shown.contains("(10 hidden)") && shown.contains("INACTIVE"), "{shown}");
    let whole = c.caseload.admin().whole_request(&c.administrator, id, "to see who").await.unwrap().unwrap();
    assert!(whole.contains(&c.students(&c.manager).await[0].to_string()));
    assert_eq!(traces(&c, "task.disclose").await, 1);
}

async fn accounts_are_kept_by_administrators(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let sure = proven(&c).await;
    let new = NewUser {
        username: "Eve".to_owned(),
        name: "Eve Adams".to_owned(),
        role: Role::Coach,
        school_id: None,
        is_school_id_new: false,
        address: None,
    };
    let added = c.caseload.users().add(&sure, new.clone(), "a new colleague").await.unwrap();
    let Added::ByPassword(issued) = added else { panic!("a link, without an address") };
    assert_eq!(issued.username, "eve");
    let eve = c.caseload.accounts().sign_in("eve", &issued.password, None).await.unwrap();
    let student = c.students(&c.manager).await[0];
    let student = c.caseload.people().get(&c.manager, student).await.unwrap().row.school_id;
    let wrong = NewUser { school_id: student, address: Some("no address".to_owned()), ..new };
    let all = Problem::from(c.caseload.users().add(&sure, wrong, " ").await.unwrap_err()).errors;
    let fields: Vec<&str> = all.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["username", "schoolId", "address", "reason"], "all that is wrong is said at once");
    let again = c.caseload.users().reset_password(&sure, eve.person_id, "she lost it").await.unwrap();
    assert!(c.caseload.accounts().sign_in("eve", &issued.password, None).await.is_err());
    c.caseload.accounts().sign_in("eve", &again.password, None).await.unwrap();
    let of_passwords = AuditQuery { action: Some("account.password".to_owned()), ..AuditQuery::default() };
    let entry = c.caseload.audit().list(admin, &of_passwords).await.unwrap().items.remove(0);
    assert_eq!(entry.label, "Gave a one-time password to an account", "she has not changed hers");
    let robot = NewToken::new("robot", TokenScope::Read);
    let token = c.caseload.by_command().issue_for("eve", robot).await.unwrap();
    let user = c.caseload.users().get(admin, eve.person_id).await.unwrap();
    assert_eq!((user.tokens.len(), user.last_sign_in.is_some()), (1, true));
    c.caseload.users().revoke_token_of(admin, eve.person_id, user.tokens[0].id, "it leaked").await.unwrap();
    assert!(c.caseload.tokens().actor_of(&token, TokenScope::Read, None).await.unwrap().is_none());
    c.caseload.users().disable(admin, eve.person_id, "she left").await.unwrap();
    assert!(c.caseload.accounts().sign_in("eve", &again.password, None).await.is_err());
    let refused = async |role| {
        let change = c.caseload.users().change(&sure, admin.person_id, role, &[], "x").await;
        change.err().map(|error| Problem::from(error).code)
    };
    assert_eq!(refused(Role::Coach).await.as_deref(), Some("last_administrator"));
    assert_eq!(refused(Role::Administrator).await, None);
    let yourself = c.caseload.users().disable(admin, admin.person_id, "x").await.unwrap_err();
    assert_eq!(Problem::from(yourself).code, "yourself");
}

async fn an_account_without_a_name_is_refused(on: On) {
    let c = College::of(on, 0).await;
    let sure = proven(&c).await;
    let refused = async |name: &str, username: &str| {
        let new = NewUser {
            username: username.to_owned(),
            name: name.to_owned(),
            role: Role::Coach,
            school_id: None,
            is_school_id_new: false,
            address: None,
        };
        let added = c.caseload.users().add(&sure, new, "a new colleague").await;
        let wrong = added.err().map(|error| Problem::from(error).errors).unwrap_or_default();
        wrong.into_iter().map(|error| (error.field, error.message)).collect::<Vec<_>>()
    };
    let said = |field: &str, message: &str| vec![(field.to_owned(), message.to_owned())];
    assert_eq!(refused("", "ida").await, said("name", "Enter the name of this person."));
    assert_eq!(refused("   ", "ida").await, said("name", "Enter the name of this person."));
    for (username, message) in [
        ("", "Enter a username."),
        ("two words", "Leave out the spaces."),
        ("a,b", "Leave out “,”."),
        ("i da!", "Leave out the spaces and “!”."),
        ("ida!", "Leave out “!”."),
        ("-_-", "Use at least one letter or digit."),
    ] {
        assert_eq!(refused("Ida Roth", username).await, said("username", message), "{username}");
    }
    assert_eq!(refused("Ida Roth", " Ída.r_2+x@b-c ").await, []);
    assert!(
        c.caseload.users().list(&c.administrator).await.unwrap().iter().any(|user| user.username == "ida.r_2+x@b-c")
    );
}

async fn an_account_whose_name_could_not_be_chosen_today_still_signs_in(on: On) {
    let c = College::of(on, 0).await;
    let by_hand = "UPDATE account SET username = 'mary jane' WHERE username = 'coach'";
    c.write(by_hand, []).await;
    assert!(c.caseload.accounts().sign_in("Mary  Jane!", PASSWORD, None).await.is_ok());
}

async fn a_school_id_that_nobody_has_is_taken_once_somebody_says_that_it_is_new(on: On) {
    let c = College::of(on, 0).await;
    let sure = proven(&c).await;
    let new = NewUser {
        username: "ida".to_owned(),
        name: "Ida Roth".to_owned(),
        role: Role::Coach,
        school_id: Some("T-7".to_owned()),
        is_school_id_new: false,
        address: None,
    };
    let refused = c.caseload.users().add(&sure, new.clone(), "a new colleague").await.unwrap_err();
    let wrong = &Problem::from(refused).errors[0];
    assert_eq!((wrong.field.as_str(), wrong.code.as_str()), ("schoolId", "unknown"));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'T-7'", []).await, 0);
    let new = NewUser { is_school_id_new: true, ..new };
    c.caseload.users().add(&sure, new, "a new colleague").await.unwrap();
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'T-7' AND NOT student", []).await, 1);
}

async fn managers_and_coaches_see_none_of_it(on: On) {
    let c = College::of(on, 1).await;
    let id = failed(&c, 1).await[0];
    let (query, all) = (AdminTaskQuery::default(), AuditQuery::default());
    let anything = looked(&c, BulkVerb::Retry, &query).await;
    for actor in [&c.manager, &c.coach] {
        let refusals = [
            c.caseload.admin().health(actor).await.err(),
            c.caseload.admin().history(actor, Window::Hour, None).await.err(),
            c.caseload.admin().running(actor, 1).await.err(),
            c.caseload.admin().failures(actor, Window::Day).await.err(),
            c.caseload.admin().task_list(actor, &query).await.err(),
            c.caseload.admin().task(actor, id).await.err(),
            c.caseload.admin().task_counts(actor, &query, &[]).await.err(),
            c.caseload.admin().preview_bulk(actor, BulkVerb::Retry, &query).await.err(),
            c.caseload.admin().bulk_again(actor, BulkVerb::Retry, &query, anything.preview_token).await.err(),
            c.caseload.admin().bulk_tasks(actor, BulkVerb::Retry, anything.preview_token, None).await.err(),
            c.caseload.admin().apply_bulk(actor, BulkVerb::Retry, &anything, "x").await.err(),
            c.caseload.admin().retry_any(actor, id, "x").await.err(),
            c.caseload.admin().abandon_any(actor, id, "x").await.err(),
            c.caseload.admin().put_back(actor, id, "x").await.err(),
            c.caseload.admin().whole_request(actor, id, "x").await.err(),
            c.caseload.admin().processes(actor).await.err(),
            c.caseload.admin().kinds(actor).await.err(),
            c.caseload.admin().locks(actor).await.err(),
            c.caseload.admin().schedules(actor).await.err(),
            c.caseload.admin().run_schedule(actor, "x", "x").await.err(),
            c.caseload.audit().list(actor, &all).await.err(),
            c.caseload.audit().note_export(actor, &all).await.err(),
            c.caseload.users().list(actor).await.err(),
            c.caseload.users().disable(actor, c.coach.person_id, "x").await.err(),
        ];
        for (at, refusal) in refusals.into_iter().enumerate() {
            assert_eq!(refusal.map(|error| Problem::from(error).status), Some(403), "{at}");
        }
    }
    // Nothing needs a reason more than what is done to others.
    assert_eq!(
        Problem::from(c.caseload.admin().abandon_any(&c.administrator, id, " ").await.unwrap_err()).errors[0].field,
        "reason"
    );
}
