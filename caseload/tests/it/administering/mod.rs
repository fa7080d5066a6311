//! What administrators see and do: one audited operation each, seen by those whose tasks they are, and by nobody else.

mod bulk;
mod overview;
mod users;

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

testkit::on_both!(
    a_lock_that_changed_hands_is_not_released,
    a_retry_is_seen_by_whose_task_it_is_with_the_reason,
    of_people_who_failed_it_is_seen_too,
    everything_done_is_in_the_audit_once_with_before_and_after,
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
