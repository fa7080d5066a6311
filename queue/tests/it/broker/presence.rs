//! Processes that leave the broker, with and without their lives.

use std::time::Duration;

use model::WorkflowStatus;
use queue::{Runtime, Settings};
use testkit::{On, RabbitMq};

use super::cluster::{Cluster, on_broker, until, until_there};
use crate::fence::holding_claimed;

testkit::tests!(
    a_process_that_has_left_the_broker_too_is_dead_before_it_has_missed_a_beat,
    a_process_that_has_left_the_broker_alone_keeps_its_tasks,
);

async fn a_process_that_has_left_the_broker_too_is_dead_before_it_has_missed_a_beat() {
    let lease = Duration::from_secs(20);
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings {
        // It would be found by the next beat that is missed, or by a sweep: both are far away.
        heartbeat: Duration::from_secs(3_600),
        lease: Duration::from_secs(20_000),
        sweep: Duration::from_secs(3_600),
        ..settings
    })
    .await;
    // A server that has just started holds nobody's lock, and this one may have; a lease is long past by the clock of tests.
    cluster.f.test.clock.advance(Duration::from_secs(20_000) + lease);
    let (probe, _never_released) = holding_claimed();
    let dying = Runtime::unguarded(&cluster.f.other(probe)).await.unwrap();
    let (stop, killed) = (cluster.stop.child_token(), dying.clone());
    cluster.ran.spawn(async move { killed.run(stop).await });
    until_there(&cluster.broker, dying.process()).await;
    let id = cluster.f.steps(1).await;
    dying.tick().await.unwrap();
    assert_eq!(cluster.f.status(id).await, WorkflowStatus::Scheduling);
    let (other, _) = cluster.worker().await;
    // It has to be seen before it can be missed.
    until(async || other.sees_at_broker(dying.process()) == Some(true)).await;
    dying.kill();
    dying.vanish().await;
    let task = cluster.f.until(id, WorkflowStatus::Completed).await;
    assert_eq!(task.attempt, 2);
    let attempts = cluster.f.queue.attempts(id).await.unwrap();
    assert!(attempts.iter().any(|attempt| attempt.process == other.process()));
    cluster.end().await;
}

async fn a_process_that_has_left_the_broker_alone_keeps_its_tasks() {
    let lease = Duration::from_secs(20_000);
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings {
        heartbeat: Duration::from_secs(3_600),
        lease,
        sweep: Duration::from_millis(100),
        ..settings
    })
    .await;
    cluster.f.test.clock.advance(lease * 2);
    let (probe, _never_released) = holding_claimed();
    let (left, _) = cluster.worker_on(&cluster.f.other(probe)).await;
    let id = cluster.f.steps(1).await;
    left.tick().await.unwrap();
    let (other, _) = cluster.worker().await;
    // It has to be seen before it can be missed, and missed before anybody could be wrong about it.
    until(async || other.sees_at_broker(left.process()) == Some(true)).await;
    left.kill();
    until(async || other.sees_at_broker(left.process()) == Some(false)).await;
    assert_eq!(other.rescue().await.unwrap(), 0);
    let task = cluster.f.task(id).await;
    let still = (WorkflowStatus::Scheduling, 1);
    assert_eq!((task.workflow_status, task.attempt), still, "its lock says that it is there");
    left.vanish().await;
    assert_eq!(cluster.f.until(id, WorkflowStatus::Completed).await.attempt, 2);
    cluster.end().await;
}
