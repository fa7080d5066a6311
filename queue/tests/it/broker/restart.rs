//! What the broker keeps over a restart of its own. Whoever connects makes what is missing, so it is looked at before anybody does.

use futures::StreamExt;
use lapin::{
    options::{BasicConsumeOptions, ExchangeDeclareOptions},
    types::FieldTable,
};
use testkit::{On, RabbitMq};

use super::cluster::{Cluster, Stranger, on_broker};
use crate::fixture::steps_task;

testkit::tests!(what_was_said_before_a_restart_of_the_broker_is_heard_after_it);

/// A worker that reads messages and dies before it says that it has them is what they are for here.
async fn what_was_said_before_a_restart_of_the_broker_is_heard_after_it() {
    let rabbit = RabbitMq::start().unwrap();
    let cluster = Cluster::with(On::Sqlite, on_broker(&rabbit), |settings| settings).await;
    let (broker, queue) = (cluster.broker.clone(), format!("{}task_queue", cluster.broker.prefix));
    let reader = Stranger::at(&broker).await;
    super::until(async || Stranger::at(&broker).await.look(&queue).await.is_some()).await;
    let (options, nothing) = (BasicConsumeOptions::default(), FieldTable::default());
    let mut read = reader.channel.basic_consume(queue.as_str().into(), "".into(), options, nothing).await.unwrap();
    cluster.sending().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(cluster.submit(steps_task(1)).await.to_string().into_bytes());
        read.next().await.unwrap().unwrap();
    }
    cluster.end().await;
    rabbit.down().unwrap();
    rabbit.up().unwrap();

    let stranger = Stranger::at(&broker).await;
    assert_eq!(stranger.look(&queue).await, Some((5, 0)), "the queue and its messages");
    let mut kept = Vec::new();
    for _ in &ids {
        kept.push(stranger.take(&queue).await.data);
    }
    assert_eq!(kept, ids);
    for exchange in ["task_exchange", "dead_task_exchange"] {
        let passive = ExchangeDeclareOptions { passive: true, ..ExchangeDeclareOptions::default() };
        let name = format!("{}{exchange}", broker.prefix);
        let there = stranger.channel.exchange_declare(name.into(), Default::default(), passive, FieldTable::default());
        there.await.unwrap_or_else(|error| panic!("{exchange}: {error}"));
    }
    stranger.say(&broker, b"more").await;
    assert_eq!(stranger.take(&queue).await.data, b"more", "what is said now comes to the queue as before");
}
