//! What is kept for a while only goes after it, in bounded steps, and nothing else does.

use std::{sync::Arc, time::Duration};

use caseload::prune::{PruneFinished, PruneUnused};
use model::{ProgramStatus, Target};
use queue::{
    lock::{LockRequest, Locks, MemoryLocks},
    schedule::Work,
};
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    a_ledger_goes_with_its_task,
    a_task_that_is_not_over_keeps_its_people,
    what_is_pruned_is_not_retried_and_what_is_retried_is_not_pruned,
    a_task_whose_people_go_is_beyond_a_retry,
    what_was_counted_and_never_submitted_goes,
);

const DAY: Duration = Duration::from_secs(86_400);

async fn fire(c: &College, work: impl Work) -> String {
    let locks = Locks::new(Arc::new(MemoryLocks::new(c.test.clock.clone())), "test");
    let lock = locks.try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    work.fire(&lock).await.unwrap()
}

async fn lines(c: &College) -> i64 {
    c.count("SELECT COUNT(*) FROM task_person", []).await
}

async fn a_ledger_goes_with_its_task(on: On) {
    let c = College::of(on, 30).await;
    let ids = c.students(&c.manager).await;
    let change = set(ProgramStatus::Inactive);
    c.submit(&c.manager, change.clone(), Target::People(ids[..20].to_vec()), 20).await.unwrap();
    c.run().await;
    c.test.clock.advance(DAY * 91);
    let recent = c.submit(&c.manager, change, Target::People(ids[20..].to_vec()), 10).await.unwrap();
    c.run().await;
    let said = fire(&c, PruneFinished::new(c.test.db.clone(), Some(DAY * 90))).await;
    assert_eq!((said.as_str(), lines(&c).await), ("1 task, 20 results", 10));
    assert_eq!(c.ledger(&c.manager, recent.id).await.values().sum::<u64>(), 10);
    c.assert_one_open_status().await;
    assert_eq!(fire(&c, PruneFinished::new(c.test.db.clone(), Some(DAY * 90))).await, "0 tasks, 0 results");
    c.test.clock.advance(DAY * 900);
    fire(&c, PruneFinished::new(c.test.db.clone(), None)).await;
    assert_eq!(lines(&c).await, 10, "kept for ever when asked to");
}

async fn a_task_that_is_not_over_keeps_its_people(on: On) {
    let c = College::of(on, 10).await;
    let people = c.students(&c.manager).await;
    let waiting = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(people), 10).await.unwrap();
    c.test.clock.advance(DAY * 400);
    fire(&c, PruneFinished::new(c.test.db.clone(), Some(DAY * 90))).await;
    fire(&c, PruneUnused::new(c.test.db.clone())).await;
    c.run().await;
    assert_eq!(c.ledger(&c.manager, waiting.id).await.values().sum::<u64>(), 10);
}

async fn what_is_pruned_is_not_retried_and_what_is_retried_is_not_pruned(on: On) {
    let c = College::of(on, 20).await;
    let people = c.students(&c.manager).await;
    let mut failed = Vec::new();
    for half in people.chunks(10) {
        let target = Target::People(half.to_vec());
        failed.push(c.submit(&c.manager, set(ProgramStatus::Inactive), target, 10).await.unwrap().id);
    }
    c.write("UPDATE queued_task SET workflow_status = 'FAILURE', workflow_stopped_date = created_date", []).await;
    c.test.clock.advance(DAY * 91);
    c.caseload.tasks().retry(&c.manager, failed[0], None).await.unwrap();
    fire(&c, PruneFinished::new(c.test.db.clone(), Some(DAY * 90))).await;
    assert_eq!(lines(&c).await, 10);
    assert!(c.caseload.tasks().retry(&c.manager, failed[1], None).await.is_err());
    c.run().await;
    assert_eq!(c.ledger(&c.manager, failed[0]).await.values().sum::<u64>(), 10);
}

async fn a_task_whose_people_go_is_beyond_a_retry(on: On) {
    let c = College::of(on, 20).await;
    let people = c.students(&c.manager).await;
    let mut failed = Vec::new();
    for half in people.chunks(10) {
        let target = Target::People(half.to_vec());
        failed.push(c.submit(&c.manager, set(ProgramStatus::Inactive), target, 10).await.unwrap().id);
    }
    c.write("UPDATE queued_task SET workflow_status = 'FAILURE', workflow_stopped_date = created_date", []).await;
    c.test.clock.advance(DAY * 91);
    assert!(queue::prune::close(&c.test.db, failed[0], DAY * 90).await.unwrap());
    assert!(c.caseload.tasks().retry(&c.manager, failed[0], None).await.is_err(), "it has ended for good");
    c.caseload.tasks().retry(&c.manager, failed[1], None).await.unwrap();
    assert!(!queue::prune::close(&c.test.db, failed[1], DAY * 90).await.unwrap(), "it goes on, so its people stay");
}

async fn what_was_counted_and_never_submitted_goes(on: On) {
    let c = College::of(on, 10).await;
    let people = Target::People(c.students(&c.manager).await);
    c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), people).await.unwrap();
    let previews = || c.count("SELECT COUNT(*) FROM preview", []);
    fire(&c, PruneUnused::new(c.test.db.clone())).await;
    assert_eq!((previews().await, lines(&c).await), (1, 10), "still of use");
    c.test.clock.advance(DAY * 2);
    let said = fire(&c, PruneUnused::new(c.test.db.clone())).await;
    assert_eq!((said.as_str(), previews().await, lines(&c).await), ("0 selections, 1 preview", 0, 0));
}
