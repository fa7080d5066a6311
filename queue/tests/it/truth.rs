//! Promise 9: what is told of a task is in the table, never goes back, and is complete only at the end.

use model::{TaskErrorCode, TaskState, WorkflowStatus};
use queue::{
    Failure, TaskSearch, state_of,
    test_faults::{Commit, FaultPlan, Faults},
};
use testkit::On;

use crate::fixture::{Fixture, OWNER, steps_task};

testkit::on_both!(
    what_listeners_hear_is_committed_and_never_goes_back,
    nothing_is_told_of_a_chunk_that_was_not_committed,
    a_list_filters_by_the_state_people_see,
);

async fn what_listeners_hear_is_committed_and_never_goes_back(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let mut changes = f.queue.changes();
    let id = f.steps(50).await;
    f.settle(&runtime).await;
    let (mut heard, mut last) = (0, 0);
    while let Some(change) = changes.try_recv() {
        let queue::TaskChange::Task(task) = change else { panic!("nothing was missed") };
        assert!(task.succeeded >= last && task.succeeded <= task.total.unwrap_or(i64::MAX));
        if task.workflow_status != WorkflowStatus::Completed {
            assert!(model::task::percent(task.workflow_status, task.succeeded.unsigned_abs(), 50) < 100);
        }
        last = task.succeeded;
        heard += 1;
    }
    assert_eq!((last, f.task(id).await.succeeded), (50, 50));
    assert!(heard < 50, "progress is spaced: {heard} changes for 50 chunks");
}

async fn nothing_is_told_of_a_chunk_that_was_not_committed(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    f.steps(1).await;
    let mut changes = f.queue.changes();
    // Claim, start, and then the chunk.
    f.test.db.disturb(Faults::new(FaultPlan { commit: 3, how: Some(Commit::Refused), ..FaultPlan::default() }));
    f.settle(&runtime).await;
    let mut heard = Vec::new();
    while let Some(queue::TaskChange::Task(task)) = changes.try_recv() {
        heard.push((task.workflow_status, task.succeeded));
    }
    assert_eq!(heard, [(WorkflowStatus::Executing, 0), (WorkflowStatus::Completed, 1)]);
}

async fn a_list_filters_by_the_state_people_see(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    let done = f.steps(1).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::SelfTest, "not now"));
    let retrying = f.steps(1).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::SelfTest, "never"));
    let failed = f.steps(1).await;
    f.settle(&runtime).await;
    let tomorrow = f.test.db.now().await.unwrap() + std::time::Duration::from_secs(86_400);
    let scheduled = f.add(queue::NewTask { trigger_date: Some(tomorrow), ..steps_task(1) }).await;
    let waiting = f.steps(1).await;
    let cancelled = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.abandon(&txn, cancelled, OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();

    for (state, id) in [
        (TaskState::Done, done),
        (TaskState::Retrying, retrying),
        (TaskState::Failed, failed),
        (TaskState::Scheduled, scheduled),
        (TaskState::Waiting, waiting),
        (TaskState::Cancelled, cancelled),
    ] {
        let search = TaskSearch { owner_id: Some(OWNER), states: vec![state], limit: 10, ..TaskSearch::default() };
        let page = f.queue.tasks(&search).await.unwrap();
        let ids: Vec<_> = page.tasks.iter().map(|task| task.id).collect();
        assert_eq!(ids, [id], "{state}");
        assert_eq!(state_of(&page.tasks[0], page.now), state);
    }
    let search = TaskSearch { limit: 4, ..TaskSearch::default() };
    let first = f.queue.tasks(&search).await.unwrap();
    let second = f.queue.tasks(&TaskSearch { after: Some(first.tasks[3].id), ..search }).await.unwrap();
    assert_eq!((first.tasks.len(), first.more, second.tasks.len(), second.more, first.total), (4, true, 2, false, 6));
}
