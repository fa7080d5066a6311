//! Many tasks at once: what was checked is done, as one operation, and those whose tasks they are see why.

use super::*;

testkit::on_both!(
    the_failed_of_one_cause_are_retried_as_one_operation,
    what_others_did_since_the_check_is_not_done_again,
    only_what_the_check_saw_is_reached,
    all_that_a_check_keeps_can_be_looked_at,
    of_tasks_to_be_closed_those_that_run_are_counted,
    without_any_filter_everything_has_to_be_meant,
    many_are_given_up_and_their_owners_are_told_why,
);

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
