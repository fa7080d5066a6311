//! The connection to the broker, and what has to be there: exchanges and the queue, durable, made by whoever comes first.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt;
use lapin::{
    Channel, Connection, ConnectionProperties, Event, ExchangeKind,
    options::{ConfirmSelectOptions, ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
    uri::AMQPUri,
};
use tokio_util::sync::CancellationToken;

use super::open_connection;
use crate::{Broker, random};

/// How long the broker may take to answer.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// Silence after which either side takes the other for gone, in seconds.
const HEARTBEAT: u16 = 10;
/// Before a lost connection is made again; doubled up to the last.
const AGAIN: Duration = Duration::from_millis(250);
const AGAIN_AT_MOST: Duration = Duration::from_secs(15);

/// Messages that may wait at the broker; the oldest give way, since they are hints and no more.
const ROOM: i32 = 100_000;

/// The routing key of tasks that may be due.
pub const DUE: &str = "task";
/// The routing key of tasks that have come to their end.
pub const ENDED: &str = "ended";

impl Broker {
    /// Where messages of tasks go.
    pub fn exchange(&self) -> String {
        format!("{}task_exchange", self.prefix)
    }

    /// Where those that may be due wait for a worker.
    pub fn queue(&self) -> String {
        format!("{}task_queue", self.prefix)
    }

    /// Where notices of dead tasks go.
    pub fn dead_exchange(&self) -> String {
        format!("{}dead_task_exchange", self.prefix)
    }

    /// The queue that is there as long as a process is connected.
    pub fn presence(&self, process: &str) -> String {
        format!("{}presence.{process}", self.prefix)
    }

    /// Connects, and makes what is missing.
    pub async fn connect(&self, purpose: &str) -> lapin::Result<(Arc<Connection>, Channel)> {
        let connected = async {
            let mut uri: AMQPUri = self.url.parse().map_err(|why: String| std::io::Error::other(why))?;
            uri.query.heartbeat.get_or_insert(HEARTBEAT);
            let properties = ConnectionProperties::default().with_connection_name(format!("docket {purpose}").into());
            let connection = open_connection::open(uri, properties).await?;
            let channel = connection.create_channel().await?;
            self.declare(&channel).await?;
            channel.confirm_select(ConfirmSelectOptions::default()).await?;
            Ok((Arc::new(connection), channel))
        };
        in_time(connected).await
    }

    /// How many workers take messages.
    pub async fn listeners(&self, channel: &Channel) -> lapin::Result<u32> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let asked = channel.queue_declare(self.queue().into(), passive, FieldTable::default());
        Ok(in_time(asked).await?.consumer_count())
    }

    async fn declare(&self, channel: &Channel) -> lapin::Result<()> {
        let durable = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
        let nothing = FieldTable::default;
        let (exchange, queue) = (self.exchange(), self.queue());
        channel.exchange_declare(exchange.as_str().into(), ExchangeKind::Direct, durable, nothing()).await?;
        channel.exchange_declare(self.dead_exchange().into(), ExchangeKind::Fanout, durable, nothing()).await?;
        let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
        let mut bound = nothing();
        bound.insert("x-max-length".into(), AMQPValue::LongInt(ROOM));
        channel.queue_declare(queue.as_str().into(), durable, bound).await?;
        channel.queue_bind(queue.into(), exchange.into(), DUE.into(), QueueBindOptions::default(), nothing()).await
    }
}

/// Waits until the connection is lost, which nobody would notice who has nothing to send.
pub async fn lost(connection: &Connection) -> lapin::Error {
    let mut events = connection.events_listener();
    while connection.status().connected() {
        if let Some(Event::Error(error)) = events.next().await {
            return error;
        }
    }
    std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()
}

/// An answer of the broker, unless it takes too long.
pub async fn in_time<T>(asked: impl Future<Output = lapin::Result<T>>) -> lapin::Result<T> {
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
    }
}

/// The waits between one connection and the next.
pub struct Again {
    what: &'static str,
    wait: Duration,
}

impl Again {
    pub fn new(what: &'static str) -> Again {
        Again { what, wait: AGAIN }
    }

    /// Waits before the next connection, since the last one lasted from `began` on and was lost. False: `stop` came first.
    pub async fn wait(&mut self, began: Instant, error: &lapin::Error, stop: &CancellationToken) -> bool {
        let what = self.what;
        if began.elapsed() > AGAIN_AT_MOST {
            self.wait = AGAIN;
        }
        match self.wait == AGAIN {
            true => tracing::warn!(%error, "{what}: the broker is away; work goes on without it"),
            false => tracing::debug!(%error, "{what}: the broker is still away"),
        }
        // Scattered, so that not all processes come back in the same moment.
        let pause = self.wait.mul_f64(0.5 + random::fraction() / 2.0);
        self.wait = (self.wait * 2).min(AGAIN_AT_MOST);
        stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_some()
    }
}
