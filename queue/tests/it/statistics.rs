//! What was done in each minute and hour, and how the queue is.

use std::time::Duration;

use model::{TaskErrorCode, TaskId};
use queue::Failure;
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::fixture::{Fixture, OWNER};

testkit::on_both!(
    what_ended_is_counted_in_its_minute_and_its_hour,
    counting_twice_changes_nothing,
    a_failure_that_was_retried_at_once_stays_counted,
    counts_outlive_the_tasks_they_are_of,
    of_an_hour_the_worst_is_kept,
    health_counts_each_task_where_it_is,
    a_task_without_a_live_process_is_stalled,
);

/// The beginning of a minute, so that what a test does lies within one.
async fn at_a_full_minute(f: &Fixture) {
    let now = f.test.db.now().await.unwrap();
    let into = now.timestamp_micros().rem_euclid(3_600_000_000);
    f.test.clock.advance(Duration::from_micros((3_600_000_000 - into).unsigned_abs() + 1_000_000));
}

async fn work(f: &Fixture) -> [TaskId; 3] {
    let runtime = f.runtime().await;
    let one = f.steps(3).await;
    f.settle(&runtime).await;
    f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "no"));
    let two = f.steps(1).await;
    f.settle(&runtime).await;
    let three = f.steps(1).await;
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.abandon(&txn, three, OWNER, None).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    [one, two, three]
}

async fn what_ended_is_counted_in_its_minute_and_its_hour(on: On) {
    let f = Fixture::new(on).await;
    at_a_full_minute(&f).await;
    work(&f).await;
    f.test.clock.advance(Duration::from_secs(120));
    f.queue.count_throughput().await.unwrap();
    for (span, step) in [(3_600, 60), (7 * 86_400, 7_200)] {
        let history = f.queue.history(span, step, None).await.unwrap();
        let of = |value: fn(&queue::statistics::Throughput) -> u64| history.parts.iter().map(value).sum::<u64>();
        assert_eq!((of(|p| p.done), of(|p| p.failed), of(|p| p.abandoned), of(|p| p.people)), (1, 1, 1, 3), "{step}");
        assert_eq!(history.parts.len() as i64, span / step);
        let part = history.parts.iter().find(|part| part.done > 0).unwrap();
        assert_eq!((part.waits.count(), part.runs.count()), (2, 2), "what never began has no spans");
        assert!(part.waits.quantile(0.95).unwrap() < 5.0);
    }
    let history = f.queue.history(3_600, 60, Some("other")).await.unwrap();
    assert!(history.parts.iter().all(|part| part.done == 0));
}

async fn counting_twice_changes_nothing(on: On) {
    let f = Fixture::new(on).await;
    at_a_full_minute(&f).await;
    work(&f).await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        f.test.clock.advance(Duration::from_secs(65));
        f.queue.count_throughput().await.unwrap();
        let history = f.queue.history(3_600, 60, None).await.unwrap();
        let hours = f.queue.history(86_400, 3_600, None).await.unwrap();
        let sum =
            |parts: &[queue::statistics::Throughput]| parts.iter().map(|part| part.done + part.failed).sum::<u64>();
        seen.push((sum(&history.parts), sum(&hours.parts)));
    }
    assert_eq!(seen, [(2, 2); 3]);
    let rows = "SELECT COUNT(*) FROM throughput";
    let row = f.test.db.reader().query_one_raw(f.test.db.statement(rows, [])).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 2, "a minute and an hour");
}

async fn a_failure_that_was_retried_at_once_stays_counted(on: On) {
    let f = Fixture::new(on).await;
    at_a_full_minute(&f).await;
    let [_, failed, _] = work(&f).await;
    f.test.clock.advance(Duration::from_secs(65));
    f.queue.count_throughput().await.unwrap();
    let txn = f.test.db.begin_write().await.unwrap();
    f.queue.retry(&txn, failed, OWNER).await.unwrap();
    f.test.db.commit(txn).await.unwrap();
    f.test.clock.advance(Duration::from_secs(65));
    f.queue.count_throughput().await.unwrap();
    let history = f.queue.history(3_600, 60, None).await.unwrap();
    assert_eq!(history.parts.iter().map(|part| part.failed).sum::<u64>(), 1);
}

async fn counts_outlive_the_tasks_they_are_of(on: On) {
    let f = Fixture::new(on).await;
    at_a_full_minute(&f).await;
    work(&f).await;
    f.test.clock.advance(Duration::from_secs(120));
    f.queue.count_throughput().await.unwrap();
    f.test.db.write("DELETE FROM queued_task", []).await.unwrap();
    // Nothing ends for a while, and what ended before is gone.
    for _ in 0..3 {
        f.test.clock.advance(Duration::from_secs(600));
        f.queue.count_throughput().await.unwrap();
    }
    let history = f.queue.history(3_600, 60, None).await.unwrap();
    assert_eq!(history.parts.iter().map(|part| part.done + part.failed).sum::<u64>(), 2);
}

async fn of_an_hour_the_worst_is_kept(on: On) {
    let f = Fixture::new(on).await;
    at_a_full_minute(&f).await;
    let runtime = f.runtime().await;
    f.steps(1).await;
    f.steps(1).await;
    f.queue.take_sample().await.unwrap();
    f.settle(&runtime).await;
    f.test.clock.advance(Duration::from_secs(60));
    f.queue.take_sample().await.unwrap();
    let minutes = f.queue.history(3_600, 60, None).await.unwrap().samples;
    assert_eq!(minutes.iter().map(|sample| sample.waiting).collect::<Vec<_>>(), [2, 0]);
    let hours = f.queue.history(7 * 86_400, 7_200, None).await.unwrap().samples;
    assert_eq!(hours.iter().map(|sample| sample.waiting).collect::<Vec<_>>(), [2]);
}

async fn health_counts_each_task_where_it_is(on: On) {
    let f = Fixture::new(on).await;
    let runtime = f.runtime().await;
    work(&f).await;
    f.mood.fail(1, 1, Failure::transient(TaskErrorCode::Files, "timed out"));
    f.steps(1).await;
    f.settle(&runtime).await;
    f.steps(1).await;
    f.test.clock.advance(Duration::from_secs(3));
    let health = f.queue.health().await.unwrap();
    assert_eq!((health.waiting, health.retrying, health.running, health.stalled), (1, 1, 0, 0));
    assert_eq!(
        (health.dead.iter().map(|dead| dead.tasks).sum::<u64>(), health.done_minute, health.oldest_seconds),
        (1, 1, Some(3))
    );
    let kinds = f.queue.kind_rows().await.unwrap();
    let steps = kinds.iter().find(|kind| kind.kind == "steps").unwrap();
    assert_eq!((steps.waiting, steps.retrying, steps.known_by > 0, steps.paused.is_none()), (1, 1, true, true));
}

async fn a_task_without_a_live_process_is_stalled(on: On) {
    let f = Fixture::new(on).await;
    let id = f.steps(1).await;
    let sql = "UPDATE queued_task SET workflow_status = 'EXECUTING', scheduled_by_process = 'gone', attempt = 1,
        deadline = {after:600} WHERE id = $1";
    f.test.db.write(sql, [id.into()]).await.unwrap();
    assert_eq!(f.queue.health().await.unwrap().stalled, 1);
    assert_eq!(f.queue.stalled_among(&[id]).await.unwrap(), [id]);
    let txn = f.test.db.begin_write().await.unwrap();
    let task = f.queue.take_from_stalled(&txn, id, OWNER).await.unwrap().unwrap();
    assert!(f.queue.take_from_stalled(&txn, id, OWNER).await.unwrap().is_none(), "once");
    f.test.db.commit(txn).await.unwrap();
    assert!(task.rescued && task.scheduled_by_process.is_none());
    let runtime = f.runtime().await;
    f.settle(&runtime).await;
    assert_eq!(f.effects(id).await, [(1, 2)], "the next attempt did it");
}
