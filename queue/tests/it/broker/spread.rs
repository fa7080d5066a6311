//! Who takes a task that the broker has told one process of, and who does when that one cannot.

use std::{collections::BTreeMap, time::Duration};

use model::WorkflowStatus;
use queue::Settings;
use testkit::{On, RabbitMq};

use super::cluster::{Cluster, Stranger, on_broker};
use crate::{fence::holding_claimed, fixture::steps_task};

testkit::tests!(
    many_tasks_are_spread_over_the_workers_though_polls_are_far_apart,
    a_worker_that_is_full_or_abstains_hands_on_what_it_is_told,
    a_task_that_has_to_run_alone_goes_to_whoever_is_idle,
    a_new_task_is_left_for_a_moment_to_whoever_is_told_of_it,
    what_is_handed_on_is_kept_for_nobody,
);

/// Each of them leaves to the other what that one is told of, for as long as this lasts: on a busy machine, where a message takes its time,
/// whoever looked first had most.
async fn many_tasks_are_spread_over_the_workers_though_polls_are_far_apart() {
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), left_for_an_hour).await;
    cluster.worker().await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let copies = stranger.copies(&cluster.broker).await;
    let mut ids = Vec::new();
    for _ in 0..200 {
        ids.push(cluster.submit(steps_task(1)).await);
    }
    let mut by = BTreeMap::new();
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
        let attempts = cluster.f.queue.attempts(*id).await.unwrap();
        assert_eq!(attempts.len(), 1);
        *by.entry(attempts[0].process.clone()).or_insert(0) += 1;
    }
    assert_eq!(by.len(), 2);
    assert!(by.values().all(|share| *share <= 140), "{by:?}");
    assert_eq!(stranger.look(&copies).await.unwrap().0, 200, "each was one message");
    let first = stranger.take(&copies).await;
    assert_eq!(first.properties.delivery_mode(), &Some(2), "that outlives a restart");
    assert_eq!(first.data, ids[0].to_string().into_bytes(), "of an id and nothing else");
    cluster.end().await;
}

async fn a_worker_that_is_full_or_abstains_hands_on_what_it_is_told() {
    let cluster =
        Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings { slots: 1, ..settings }).await;
    let (probe, release) = holding_claimed();
    let (full, held) = cluster.busy_worker(probe).await;
    cluster.worker().await;
    let (other, _) = cluster.worker().await;
    other.abstain(true).await.unwrap();
    for _ in 0..9 {
        let id = cluster.submit(steps_task(1)).await;
        cluster.f.until(id, WorkflowStatus::Completed).await;
        let attempts = cluster.f.queue.attempts(id).await.unwrap();
        assert!([full.process(), other.process()].iter().all(|process| attempts[0].process != *process));
    }
    release.send_replace(true);
    cluster.f.until(held, WorkflowStatus::Completed).await;
    cluster.end().await;
}

/// A process that is not idle leaves such a task, and nobody else was told of it.
async fn a_task_that_has_to_run_alone_goes_to_whoever_is_idle() {
    let cluster = Cluster::new(On::Postgres).await;
    let (probe, release) = holding_claimed();
    let (_, held) = cluster.busy_worker(probe).await;
    cluster.worker().await;
    for _ in 0..6 {
        let id = cluster.f.add(steps_task(1)).await;
        cluster.f.test.db.write("UPDATE queued_task SET crashes = 2 WHERE id = $1", [id.into()]).await.unwrap();
        cluster.f.queue.announce(&cluster.f.task(id).await);
        cluster.f.until(id, WorkflowStatus::Completed).await;
    }
    release.send_replace(true);
    cluster.f.until(held, WorkflowStatus::Completed).await;
    cluster.end().await;
}

/// A process that looks because of one task does not take another, which somebody else is being told of.
async fn a_new_task_is_left_for_a_moment_to_whoever_is_told_of_it() {
    let cluster = Cluster::new(On::Postgres).await;
    let queue = cluster.f.other(queue::test_hooks::none());
    cluster.worker_on(&queue).await;
    cluster.until_sending(&queue).await;
    cluster.sending().await;
    for _ in 0..5 {
        let of_others = cluster.f.add(steps_task(1)).await;
        let told = cluster.submit(steps_task(1)).await;
        cluster.f.until(told, WorkflowStatus::Completed).await;
        cluster.f.until(of_others, WorkflowStatus::Completed).await;
        let waited = cluster.waited(of_others).await;
        assert!(waited >= Duration::from_millis(100), "{waited:?}");
    }
    cluster.end().await;
}

/// Half of the messages go to the one that takes nothing, and whoever it hands them on to is not the one they were for. That one
/// would leave them for an hour.
async fn what_is_handed_on_is_kept_for_nobody() {
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), left_for_an_hour).await;
    let (other, _) = cluster.worker().await;
    other.abstain(true).await.unwrap();
    cluster.worker().await;
    cluster.sending().await;
    for _ in 0..20 {
        let id = cluster.submit(steps_task(1)).await;
        cluster.f.until(id, WorkflowStatus::Completed).await;
    }
    cluster.end().await;
}

fn left_for_an_hour(settings: Settings) -> Settings {
    Settings { broker_head_start: Duration::from_secs(3_600), ..settings }
}
