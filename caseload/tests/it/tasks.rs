//! Tasks as staff see them.

use caseload::SelfTestRequest;
use chrono::TimeDelta;
use model::{Outcome, Problem, ProgramStatus, Target, TaskQuery, TaskState, task::TaskScope};
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    cancelling_leaves_the_rest_not_reached,
    lists_are_of_ones_own_tasks_unless_one_may_read_all,
    a_failed_task_goes_on_after_a_retry,
    live_rows_go_to_those_who_may_see_the_task,
    a_finished_task_says_why_people_were_skipped_and_how_long_it_is_kept,
);

async fn a_finished_task_says_why_people_were_skipped_and_how_long_it_is_kept(on: On) {
    let c = College::of(on, 10).await;
    c.write(
        "UPDATE person SET activated = FALSE WHERE id IN (SELECT id FROM person WHERE student ORDER BY id LIMIT 2)",
        [],
    )
    .await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    let waiting = c.caseload.task(&c.manager, task).await.unwrap();
    assert_eq!((waiting.reasons, waiting.kept_until), (vec![], None));
    c.run().await;
    let done = c.caseload.task(&c.manager, task).await.unwrap();
    let told: Vec<_> = done.reasons.iter().map(|why| (why.outcome, why.label.as_str(), why.count)).collect();
    assert_eq!(told, [(Outcome::Skipped, "not activated", 2)]);
    assert_eq!(done.kept_until, done.row.stopped_date.map(|at| at + TimeDelta::days(90)));
}

async fn cancelling_leaves_the_rest_not_reached(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.caseload.abandon(&c.manager, task, Some("a mistake")).await.unwrap();
    c.run().await;
    let detail = c.caseload.task(&c.manager, task).await.unwrap();
    assert_eq!((detail.row.state, detail.row.open()), (TaskState::Cancelled, 10));
    assert_eq!(detail.timeline[0].text, "Cancelled by Katrin Lund: a mistake");
    assert_eq!((detail.row.can_retry, detail.row.can_abandon), (false, false));
    let again = Problem::from(c.caseload.abandon(&c.manager, task, None).await.unwrap_err());
    assert_eq!((again.status, again.more["currentStatus"].as_str()), (409, Some("ABANDONED")));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.abandon'", []).await, 1);
}

async fn lists_are_of_ones_own_tasks_unless_one_may_read_all(on: On) {
    let c = College::of(on, 10).await;
    c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap();
    c.submit(&c.coach, set(ProgramStatus::Active), Target::Everyone, 5).await.unwrap();
    let list = async |actor, scope| c.caseload.tasks(actor, &TaskQuery { scope, ..TaskQuery::default() }).await;
    assert_eq!(list(&c.coach, TaskScope::Mine).await.unwrap().items.len(), 1);
    assert_eq!(Problem::from(list(&c.coach, TaskScope::All).await.unwrap_err()).status, 403);
    let all = list(&c.manager, TaskScope::All).await.unwrap();
    assert_eq!(
        all.items.iter().map(|row| row.owner_name.as_str()).collect::<Vec<_>>(),
        ["Paul Nwachukwu", "Katrin Lund"]
    );
    assert_eq!(all.items.iter().map(|row| row.position).collect::<Vec<_>>(), [Some(2), Some(1)]);
    assert_eq!((all.items[1].title.as_str(), all.items[1].label.as_str()), ("Set status to Inactive", "Waiting"));
}

async fn a_failed_task_goes_on_after_a_retry(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 5).await.unwrap().id;
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'coach'", []).await;
    c.run().await;
    let row = c.caseload.task(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.can_retry, row.can_abandon), (TaskState::Failed, true, true));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.dead'", []).await, 1);
    c.write("UPDATE account SET permissions = '[\"program_status\"]' WHERE username = 'coach'", []).await;
    c.caseload.retry(&c.coach, task, None).await.unwrap();
    c.run().await;
    let row = c.caseload.task(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.succeeded, row.trouble), (TaskState::Done, 5, None));
}

async fn live_rows_go_to_those_who_may_see_the_task(on: On) {
    let c = College::of(on, 0).await;
    let mut changes = c.caseload.queue().changes();
    let request = SelfTestRequest { chunks: Some(3), ..SelfTestRequest::default() };
    assert_eq!(Problem::from(c.caseload.self_test(&c.manager, request.clone()).await.unwrap_err()).status, 403);
    c.caseload.self_test(&c.administrator, request).await.unwrap();
    c.run().await;
    let mut last = None;
    while let Some(queue::Change::Task(change)) = changes.try_recv() {
        assert!(c.caseload.live_row(&c.coach, &change).await.unwrap().is_none());
        assert!(c.caseload.live_row(&c.manager, &change).await.unwrap().is_some());
        last = c.caseload.live_row(&c.administrator, &change).await.unwrap();
    }
    let last = last.unwrap();
    assert_eq!((last.state, last.succeeded, last.title.as_str()), (TaskState::Done, 3, "Self-test"));
}
