//! Sends what this process has to say, and waits until the broker has taken it.

use model::TaskId;
use std::time::{Duration, Instant};

use lapin::{
    BasicProperties, Channel,
    options::BasicPublishOptions,
    types::{AMQPValue, FieldTable},
};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::{
    connect::{Again, DUE, ENDED, in_time, lost},
    metrics,
};
use crate::{Broker, Queue, wake::outgoing::BrokerMessage};

/// Messages sent before their confirmation is waited for.
const AT_ONCE: usize = 100;
/// How long the broker may take for them before tasks are hinted at without it, too.
const SLOW: Duration = Duration::from_millis(250);
/// How often it is looked whether anybody listens.
const LOOK: Duration = Duration::from_secs(1);
/// Notices of dead tasks that are kept for a broker that is away.
const KEPT: usize = 1_000;
/// How a message is marked that outlives the broker's restart.
const PERSISTENT: u8 = 2;

/// Sends until `stop`. While the broker is away, tasks are hinted at without it.
pub async fn run(queue: &Queue, broker: &Broker, stop: &CancellationToken) {
    let (mut unsent, mut again) = (Vec::new(), Again::new("sending"));
    loop {
        let began = Instant::now();
        let sent = stop.run_until_cancelled(send(queue, broker, &mut unsent)).await;
        queue.inner.messages.set_up(false);
        queue.inner.messages.set_heard(false);
        metrics::broker_up(false);
        hint_instead(queue, &mut unsent).await;
        match sent {
            Some(Err(error)) if again.wait(began, &error, stop).await => {}
            _ => break,
        }
    }
    if !unsent.is_empty() {
        tracing::error!(lost = unsent.len(), "notices of dead tasks were not told to the broker before the end");
    }
}

/// Sends until the connection is lost.
async fn send(queue: &Queue, broker: &Broker, unsent: &mut Vec<BrokerMessage>) -> lapin::Result<()> {
    let messages = &queue.inner.messages;
    let mut receiver = messages.receiver.lock().await;
    let (connection, channel) = broker.connect("sender").await?;
    let mut lost = std::pin::pin!(lost(&connection));
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    messages.set_up(true);
    metrics::broker_up(true);
    tracing::info!("sending through the broker");
    loop {
        if unsent.is_empty() {
            let received = tokio::select! {
                received = receiver.recv_many(unsent, AT_ONCE) => received,
                _ = look.tick() => {
                    let listened_to = broker.listeners(&channel).await? > 0;
                    match (messages.set_heard(listened_to), listened_to) {
                        (true, true) => tracing::info!("a worker listens to the broker"),
                        (true, false) => tracing::warn!("no worker listens to the broker; work goes on without it"),
                        (false, _) => {}
                    }
                    continue;
                }
                error = &mut lost => return Err(error),
            };
            if received == 0 {
                return Ok(());
            }
        }
        send_soon(queue, &channel, broker, unsent).await?;
        metrics::sent(unsent.len());
        unsent.clear();
    }
}

/// Sends messages. While the broker takes its time, nobody waits for it.
async fn send_soon(queue: &Queue, channel: &Channel, broker: &Broker, messages: &[BrokerMessage]) -> lapin::Result<()> {
    let mut sent = std::pin::pin!(in_time(send_all(channel, broker, messages)));
    tokio::select! {
        sent = &mut sent => return sent,
        () = tokio::time::sleep(SLOW) => queue.wake(),
    }
    sent.await
}

async fn send_all(channel: &Channel, broker: &Broker, messages: &[BrokerMessage]) -> lapin::Result<()> {
    let mut confirms = Vec::with_capacity(messages.len());
    for message in messages {
        confirms.push(send_one(channel, broker, message).await?);
    }
    for confirm in confirms {
        if confirm.await?.is_nack() {
            return Err(std::io::Error::other("the broker refused a message").into());
        }
    }
    Ok(())
}

async fn send_one(
    channel: &Channel,
    broker: &Broker,
    message: &BrokerMessage,
) -> lapin::Result<lapin::PublisherConfirm> {
    let mut headers = FieldTable::default();
    let (exchange, key, id) = match message {
        BrokerMessage::Due(id) => (broker.exchange(), DUE, id),
        BrokerMessage::Ended(id) => (broker.exchange(), ENDED, id),
        BrokerMessage::Dead { id, kind, how } => {
            headers.insert("kind".into(), AMQPValue::LongString(kind.as_str().into()));
            headers.insert("how".into(), AMQPValue::LongString(how.name().into()));
            (broker.dead_exchange(), "", id)
        }
    };
    let properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("text/plain".into())
        .with_headers(headers);
    let body = TaskId::to_string(id);
    channel
        .basic_publish(exchange.into(), key.into(), BasicPublishOptions::default(), body.as_bytes(), properties)
        .await
}

/// Hints at what was not sent, without the broker. Notices of dead tasks are kept for it.
async fn hint_instead(queue: &Queue, unsent: &mut Vec<BrokerMessage>) {
    let mut receiver = queue.inner.messages.receiver.lock().await;
    while let Ok(message) = receiver.try_recv() {
        unsent.push(message);
    }
    if unsent.iter().any(|message| matches!(message, BrokerMessage::Due(_))) {
        queue.wake();
    }
    unsent.retain(|message| matches!(message, BrokerMessage::Dead { .. }));
    if unsent.len() > KEPT {
        tracing::error!(
            lost = unsent.len() - KEPT,
            "notices of dead tasks are not told to the broker; it is away for too long"
        );
        unsent.truncate(KEPT);
    }
}
