//! What needs a look, and why something does not run.

use super::*;

testkit::tests!(a_step_that_kept_everybody_waiting_is_named_on_the_overview);

testkit::on_both!(
    what_needs_a_look_is_said_and_goes_away,
    of_causes_that_are_as_common_as_each_other_none_is_called_the_most_common,
    of_causes_that_are_as_common_a_self_test_is_not_the_one_that_is_named,
    a_held_email_is_scheduled_on_every_page_that_counts_it,
    why_people_failed_in_a_task_that_is_done_is_said_by_number,
    why_a_task_does_not_run_is_said,
    a_request_is_shown_without_people,
);

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

async fn of_causes_that_are_as_common_as_each_other_none_is_called_the_most_common(on: On) {
    let c = College::of(on, 1).await;
    let failing = async || {
        c.test.clock.advance(Duration::from_secs(2));
        let health = c.caseload.admin().health(&c.administrator).await.unwrap();
        health.attention.iter().find(|item| item.code == AttentionCode::Failing).unwrap().text.clone()
    };
    failed(&c, 1).await;
    panicked(&c).await;
    let said = failing().await;
    assert!(said.contains("with 2 causes. One of them: "), "{said}");
    failed(&c, 1).await;
    let said = failing().await;
    assert!(said.contains("with 2 causes. Most common: "), "{said}");
}

async fn of_causes_that_are_as_common_a_self_test_is_not_the_one_that_is_named(on: On) {
    let c = College::of(on, 1).await;
    let named = async || {
        c.test.clock.advance(Duration::from_secs(2));
        let health = c.caseload.admin().health(&c.administrator).await.unwrap();
        let failing = health.attention.iter().find(|item| item.code == AttentionCode::Failing).unwrap();
        failing.text.split_once("with 2 causes. One of them: ").unwrap().1.to_owned()
    };
    let older = failed(&c, 1).await.remove(0);
    c.test.clock.advance(Duration::from_secs(2));
    panicked(&c).await;
    let latest = named().await;
    assert!(!latest.ends_with("(not retried)"), "{latest}");
    c.write("UPDATE task_failure SET kind = 'export' WHERE task_id = $1", [older.into()]).await;
    let real = named().await;
    assert!(real.ends_with("(not retried)"), "{real}");
}

/// A self-test that panics, and has been retried as often as it may be.
async fn panicked(c: &College) {
    let panic = SelfTestRequest { outcome: SelfTestEnding::Panic, fail_times: 9, ..Default::default() };
    let panicking = c.caseload.actions().self_test(&c.administrator, panic).await.unwrap().remove(0).id;
    c.write("UPDATE queued_task SET failures = 4 WHERE id = $1", [panicking.into()]).await;
    c.run().await;
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
