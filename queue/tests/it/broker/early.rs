//! Messages that are there before their task is, or instead of it.

use std::time::Duration;

use model::{TaskId, WorkflowStatus};
use queue::{Broker, NewTask, Runtime, Settings};
use sea_orm::ConnectionTrait;
use testkit::{On, RabbitMq};

use super::cluster::{Cluster, Stranger, on_broker};
use crate::fixture::{PATIENCE, steps_task};

testkit::tests!(
    a_message_before_its_commit_is_as_good_as_one_after_it,
    a_message_long_before_its_commit_is_made_good_by_the_poll,
);

testkit::on_both!(what_was_rolled_back_never_runs_whatever_a_message_says);

async fn what_was_rolled_back_never_runs_whatever_a_message_says(on: On) {
    let patient = Broker { give_up_time: PATIENCE * 2, ..on_broker(RabbitMq::shared()) };
    let cluster = Cluster::with(on, patient, |settings| settings).await;
    cluster.worker().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let txn = cluster.f.test.db.begin_write().await.unwrap();
    let task = cluster.f.queue.enqueue(&txn, steps_task(1)).await.unwrap().task();
    let comes_later: TaskId = queue::new_id();
    stranger.say(&cluster.broker, task.id.to_string().as_bytes()).await;
    stranger.say(&cluster.broker, comes_later.to_string().as_bytes()).await;
    txn.rollback().await.unwrap();
    // Messages are heard one after the other, so those two were when this one is.
    let heard = cluster.f.steps(1).await;
    stranger.say(&cluster.broker, heard.to_string().as_bytes()).await;
    cluster.f.until(heard, WorkflowStatus::Completed).await;
    // What was heard of later is looked up again later.
    let comes_later = cluster.f.add(NewTask { id: Some(comes_later), ..steps_task(1) }).await;
    cluster.f.until(comes_later, WorkflowStatus::Completed).await;
    assert!(cluster.f.queue.task(task.id).await.unwrap().is_none());
    assert_eq!(cluster.f.effects(task.id).await, []);
    cluster.end().await;
}

/// Times as they are set unless somebody wishes otherwise.
fn usual() -> Broker {
    Broker {
        retry_time: Duration::from_secs(2),
        give_up_time: Duration::from_secs(10),
        ..on_broker(RabbitMq::shared())
    }
}

/// With the usual times: looked up again every two seconds for ten, and said again by the cleaner.
async fn a_message_before_its_commit_is_as_good_as_one_after_it() {
    let cluster = Cluster::with(On::Postgres, usual(), |mut settings| {
        settings.cleaning.resend_after = Duration::from_millis(100);
        settings
    })
    .await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let (short, long) = tokio::join!(held_for(&cluster, &stranger, 5), held_for(&cluster, &stranger, 30));
    // Nothing else would find it within the hour.
    cluster.f.until(short, WorkflowStatus::Completed).await;
    // Twice as long as until a task that is still waited for is looked up.
    tokio::time::sleep(cluster.broker.retry_time * 2).await;
    assert_eq!(cluster.f.status(long).await, WorkflowStatus::Queued, "given up long before");
    assert_eq!(Runtime::unguarded(&cluster.f.queue).await.unwrap().say_again().await.unwrap(), 1);
    cluster.f.until(long, WorkflowStatus::Completed).await;
    for id in [short, long] {
        assert_eq!(cluster.f.effects(id).await, [(1, 1)]);
    }
    cluster.end().await;
}

/// The same, where no cleaner says anything again: what was given up is found by the next poll.
async fn a_message_long_before_its_commit_is_made_good_by_the_poll() {
    let poll_interval = Duration::from_secs(5);
    let cluster = Cluster::with(On::Postgres, usual(), |settings| Settings { poll_interval, ..settings }).await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let id = held_for(&cluster, &stranger, 30).await;
    let task = cluster.f.until(id, WorkflowStatus::Completed).await;
    let waited = task.scheduling_started_date.unwrap() - task.created_date;
    assert!(waited.to_std().unwrap() > Duration::from_secs(29), "from before the commit on: {waited}");
    assert_eq!(cluster.f.effects(id).await, [(1, 1)]);
    cluster.end().await;
}

/// A task whose message is sent so many seconds before it is committed.
async fn held_for(cluster: &Cluster, stranger: &Stranger, seconds: u64) -> TaskId {
    let txn = cluster.f.test.db.begin_write().await.unwrap();
    // The session may be idle within a transaction for no longer than this test holds one.
    txn.execute_unprepared("SET LOCAL idle_in_transaction_session_timeout = 0").await.unwrap();
    let task = cluster.f.queue.enqueue(&txn, steps_task(1)).await.unwrap().task();
    stranger.say(&cluster.broker, task.id.to_string().as_bytes()).await;
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    cluster.f.test.db.commit(txn).await.unwrap();
    task.id
}
