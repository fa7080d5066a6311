//! Wake-ups by RabbitMQ: prompt and spread while the broker is there, harmless whatever it says, and missed by nobody while
//! it is away. Polls are an hour apart here, so that nothing but a message can be the reason.

mod cluster;
mod early;
mod presence;
mod restart;
mod spread;

use std::{collections::BTreeMap, time::Duration};

use futures::StreamExt;
use lapin::{
    options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions},
    types::FieldTable,
};
use model::{TaskErrorCode, TaskId, WorkflowStatus};
use queue::{Broker, Failure, NewTask, Queue, Runtime};
use serde_json::json;
use testkit::{On, RabbitMq};
use tokio::io::AsyncReadExt;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use self::cluster::{Cluster, Stranger, on_broker, until, until_there, with_broker};
use crate::fixture::{Fixture, OWNER, PATIENCE, registry, settings, steps_task};

testkit::tests!(
    tasks_are_hinted_at_without_a_broker_that_nobody_listens_to,
    a_broker_that_goes_and_comes_back_loses_and_doubles_nothing,
    a_broker_that_accepts_and_stays_silent_keeps_nothing_open,
);

testkit::on_both!(
    a_task_runs_at_once_though_polls_are_far_apart,
    a_flood_of_duplicates_strangers_and_garbage_changes_nothing,
    the_end_of_a_task_and_its_death_are_told,
);

async fn a_task_runs_at_once_though_polls_are_far_apart(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    cluster.sending().await;
    for _ in 0..5 {
        let id = cluster.submit(steps_task(1)).await;
        cluster.f.until(id, WorkflowStatus::Completed).await;
    }
    cluster.end().await;
}

/// A process may send to a broker that no worker listens to, as after a mistake in the workers' settings.
async fn tasks_are_hinted_at_without_a_broker_that_nobody_listens_to() {
    let cluster = Cluster::new(On::Postgres).await;
    let (_, stop) = cluster.worker().await;
    cluster.sending().await;
    stop.cancel();
    until(async || cluster.f.queue.misses_broker()).await;
    let deaf = Queue::new(cluster.f.test.db.clone(), registry(&cluster.f.mood), settings());
    cluster.speak(&deaf).await;
    let runtime = Runtime::unguarded(&deaf).await.unwrap();
    let until_end = cluster.stop.clone();
    cluster.ran.spawn(async move { runtime.run(until_end).await });
    // Once it hears one, it hears all.
    until(async || {
        let id = cluster.submit(steps_task(1)).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.f.status(id).await == WorkflowStatus::Completed
    })
    .await;
    let id = cluster.submit(steps_task(1)).await;
    cluster.f.until(id, WorkflowStatus::Completed).await;
    cluster.end().await;
}

async fn a_flood_of_duplicates_strangers_and_garbage_changes_nothing(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let done = cluster.submit(steps_task(2)).await;
    cluster.f.until(done, WorkflowStatus::Completed).await;
    let mut said = Vec::new();
    for turn in 0..10_000_u32 {
        said.push(match turn % 5 {
            0 | 1 => done.to_string().into_bytes(),
            2 | 3 => Uuid::new_v4().to_string().into_bytes(),
            _ => turn.to_le_bytes().to_vec(),
        });
    }
    for body in &said {
        stranger.say(&cluster.broker, body).await;
    }
    until(async || stranger.waiting(&cluster.broker).await == 0).await;
    let next = cluster.submit(steps_task(1)).await;
    cluster.f.until(next, WorkflowStatus::Completed).await;
    assert_eq!(cluster.f.effects(done).await, [(1, 1), (2, 1)]);
    cluster.end().await;
}

async fn a_broker_that_goes_and_comes_back_loses_and_doubles_nothing() {
    let rabbit = RabbitMq::start().unwrap();
    let cluster = Cluster::with(On::Postgres, on_broker(&rabbit), |settings| settings).await;
    let workers = [cluster.worker().await.0, cluster.worker().await.0];
    cluster.sending().await;
    let mut ids = Vec::new();
    let submit = async |ids: &mut Vec<TaskId>| {
        for _ in 0..50 {
            ids.push(cluster.submit(steps_task(2)).await);
        }
    };
    submit(&mut ids).await;
    rabbit.down().unwrap();
    submit(&mut ids).await;
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
    }
    until(async || !cluster.f.queue.uses_broker()).await;
    submit(&mut ids).await;
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
    }
    // Nobody is told of this one, as if its message was lost with the broker.
    let untold = cluster.f.steps(1).await;
    rabbit.up().unwrap();
    cluster.f.until(untold, WorkflowStatus::Completed).await;
    cluster.sending().await;
    for worker in &workers {
        until_there(&cluster.broker, worker.process()).await;
    }
    submit(&mut ids).await;
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
        assert_eq!(cluster.f.effects(*id).await, [(1, 1), (2, 1)]);
    }
    cluster.end().await;
}

async fn the_end_of_a_task_and_its_death_are_told(on: On) {
    let cluster = Cluster::new(on).await;
    let queue = cluster.f.other(queue::test_hooks::none());
    cluster.worker_on(&queue).await;
    // It is the worker that tells.
    cluster.until_sending(&queue).await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let mut heard = BTreeMap::new();
    for (exchange, key) in [("task_exchange", "ended"), ("dead_task_exchange", "")] {
        let exclusive = QueueDeclareOptions { exclusive: true, ..QueueDeclareOptions::default() };
        let queue = stranger.channel.queue_declare("".into(), exclusive, FieldTable::default()).await.unwrap();
        let from = format!("{}{exchange}", cluster.broker.prefix);
        let (options, nothing) = (QueueBindOptions::default(), FieldTable::default());
        stranger.channel.queue_bind(queue.name().clone(), from.into(), key.into(), options, nothing).await.unwrap();
        let (options, nothing) = (BasicConsumeOptions { no_ack: true, ..Default::default() }, FieldTable::default());
        let consumer = stranger.channel.basic_consume(queue.name().clone(), "".into(), options, nothing).await.unwrap();
        heard.insert(exchange, consumer);
    }
    let done = cluster.submit(steps_task(1)).await;
    cluster.f.until(done, WorkflowStatus::Completed).await;
    cluster.f.mood.fail(1, 1, Failure::permanent(TaskErrorCode::MailServer, "no"));
    let dead = cluster.submit(NewTask::new("steps", json!({ "steps": 1 }), OWNER)).await;
    cluster.f.until(dead, WorkflowStatus::Failure).await;
    let mut next = async |exchange: &str| {
        let message = tokio::time::timeout(PATIENCE, heard.get_mut(exchange).unwrap().next()).await;
        let message = message.unwrap().unwrap().unwrap();
        let headers = message.properties.headers().clone().unwrap_or_default();
        let headers = headers.inner().iter().map(|(name, value)| {
            let value = value.as_long_string().map(|value| String::from_utf8(value.as_bytes().to_vec()).unwrap());
            (name.to_string(), value.unwrap())
        });
        (String::from_utf8(message.data.clone()).unwrap(), headers.collect::<BTreeMap<_, _>>())
    };
    assert_eq!(next("task_exchange").await.0, done.to_string());
    assert_eq!(next("task_exchange").await.0, dead.to_string());
    let (id, headers) = next("dead_task_exchange").await;
    let wanted = [("how", "FAILED"), ("kind", "steps")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!((id, headers), (dead.to_string(), wanted.into()), "nothing else");
    cluster.end().await;
}

/// Accepts whoever connects and says nothing, as a proxy does whose broker has died.
async fn a_broker_that_accepts_and_stays_silent_keeps_nothing_open() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("amqp://{}", silent.local_addr().unwrap());
    let f = Fixture::with(On::Postgres, with_broker(&Broker { url, ..on_broker(RabbitMq::shared()) })).await;
    let (queue, stop, ran) = (f.queue.clone(), CancellationToken::new(), TaskTracker::new());
    let until = stop.clone();
    ran.spawn(async move { queue.exchange_hints(until).await });
    let given_up = async {
        let (mut socket, _) = silent.accept().await.unwrap();
        let mut greeting = Vec::new();
        socket.read_to_end(&mut greeting).await.unwrap();
        greeting
    };
    let greeting = tokio::time::timeout(PATIENCE, given_up).await.expect("it is still open");
    assert!(greeting.starts_with(b"AMQP"), "{greeting:?}");
    assert!(!f.queue.uses_broker());
    stop.cancel();
    ran.close();
    ran.wait().await;
}
