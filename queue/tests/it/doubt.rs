//! COMMIT sent and the answer lost: what is there decides, and nothing is done twice.

use model::{TaskErrorCode, WorkflowStatus};
use queue::test_faults::{Commit, FaultPlan, Faults};
use testkit::On;

use crate::fixture::Fixture;

testkit::on_both!(
    a_claim_whose_answer_was_lost_is_put_back,
    a_chunk_whose_answer_was_lost_is_not_done_twice,
    a_chunk_whose_commit_is_still_under_way_is_not_done_twice,
    a_chunk_that_was_not_committed_is_done_again_and_is_no_failure,
    an_end_whose_answer_was_lost_stands,
);

/// Loses the n-th commit after this call.
fn lose(f: &Fixture, commit: u64, how: Commit) {
    f.test.db.disturb(Faults::new(FaultPlan { commit, how: Some(how), ..FaultPlan::default() }));
}

async fn a_claim_whose_answer_was_lost_is_put_back(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(2).await;
    let runtime = f.runtime().await;
    lose(&f, 1, Commit::Unanswered);
    runtime.tick().await.unwrap_err();
    assert_eq!(f.status(id).await, WorkflowStatus::Scheduling, "it was committed");
    f.settle(&runtime).await;
    let done = f.task(id).await;
    assert_eq!((done.workflow_status, done.failures, done.crashes), (WorkflowStatus::Completed, 0, 0));
    assert_eq!(f.effects(id).await, [(1, 2), (2, 2)]);
}

/// The commits of a task of three chunks: claim, start, one for each chunk.
const SECOND_CHUNK: u64 = 4;
const LAST_CHUNK: u64 = 5;

async fn a_chunk_whose_answer_was_lost_is_not_done_twice(on: On) {
    for commit in [2, SECOND_CHUNK, LAST_CHUNK] {
        let f = Fixture::new(on).await;
        let id = f.steps(3).await;
        let runtime = f.runtime().await;
        lose(&f, commit, Commit::Unanswered);
        f.settle(&runtime).await;
        assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1)], "commit {commit}");
        let done = f.task(id).await;
        assert_eq!((done.workflow_status, done.succeeded, done.failures), (WorkflowStatus::Completed, 3, 0));
    }
}

async fn a_chunk_whose_commit_is_still_under_way_is_not_done_twice(on: On) {
    for commit in [SECOND_CHUNK, LAST_CHUNK] {
        let f = Fixture::new(on).await;
        let id = f.steps(3).await;
        let runtime = f.runtime().await;
        lose(&f, commit, Commit::Late);
        f.settle(&runtime).await;
        assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1)], "commit {commit}");
        assert_eq!((f.status(id).await, f.task(id).await.failures), (WorkflowStatus::Completed, 0));
    }
}

async fn a_chunk_that_was_not_committed_is_done_again_and_is_no_failure(on: On) {
    for commit in [2, SECOND_CHUNK, LAST_CHUNK] {
        let f = Fixture::new(on).await;
        let id = f.steps(3).await;
        let runtime = f.runtime().await;
        lose(&f, commit, Commit::Refused);
        f.settle(&runtime).await;
        assert_eq!(f.effects(id).await, [(1, 1), (2, 1), (3, 1)], "commit {commit}");
        assert_eq!((f.status(id).await, f.task(id).await.failures), (WorkflowStatus::Completed, 0));
    }
}

async fn an_end_whose_answer_was_lost_stands(on: On) {
    for how in [Commit::Unanswered, Commit::Refused] {
        let f = Fixture::new(on).await;
        let id = f.steps(1).await;
        f.mood.fail(1, 1, queue::Failure::transient(TaskErrorCode::SelfTest, "not now"));
        let runtime = f.runtime().await;
        // Claim, start, and then the failure.
        lose(&f, 3, how);
        f.settle(&runtime).await;
        let back = f.task(id).await;
        assert_eq!((back.workflow_status, back.failures, back.attempt), (WorkflowStatus::Queued, 1, 1), "{how:?}");
    }
}
