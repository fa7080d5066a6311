//! Who is connected to the broker. Each process has a queue of its own that goes with its connection; the others ask for it
//! by a message that comes back once it is gone. That is a second sign, beside the one in the database: a process without
//! either is dead at once.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use lapin::{
    BasicProperties, Channel,
    options::{BasicPublishOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable},
};
use sea_orm::{ConnectionTrait, DbErr};
use tokio_util::sync::CancellationToken;

use super::{
    connect::{Again, in_time},
    task_messages::Worker,
};
use crate::{Broker, Queue, process::alive::lives};

/// How often the others are asked for.
const LOOK: Duration = Duration::from_secs(1);

/// Is there, and looks who else is, until `gone`. On a connection of its own: a broker that is short of memory stops listening
/// to whoever sends, and hearing is to go on.
pub async fn run(queue: &Queue, broker: &Broker, worker: &dyn Worker, gone: &CancellationToken) {
    let mut again = Again::new("presence");
    loop {
        let began = Instant::now();
        match gone.run_until_cancelled(watch(queue, broker, worker)).await {
            Some(Err(error)) if again.wait(began, &error, gone).await => {}
            _ => return,
        }
    }
}

/// The same until the connection is lost.
async fn watch(queue: &Queue, broker: &Broker, worker: &dyn Worker) -> lapin::Result<()> {
    let (_connection, channel) = broker.connect(&format!("presence {}", worker.process())).await?;
    let mine = QueueDeclareOptions { exclusive: true, auto_delete: true, ..QueueDeclareOptions::default() };
    // Nobody reads what the others ask by.
    let mut bound = FieldTable::default();
    bound.insert("x-max-length".into(), AMQPValue::LongInt(1));
    in_time(channel.queue_declare(broker.presence(worker.process()).into(), mine, bound)).await?;
    let mut seen = BTreeSet::new();
    loop {
        tokio::time::sleep(LOOK).await;
        let others = match others(queue, worker.process()).await {
            Ok(others) => others,
            Err(error) => {
                tracing::debug!(%error, "cannot look who should be there");
                continue;
            }
        };
        for other in &others {
            let there = is_there(&channel, broker, other).await?;
            // A process may be on the list and never have had a broker.
            if there && seen.insert(other.clone()) {
                worker.has_returned(other);
            } else if !there && seen.remove(other) {
                tracing::warn!(process = other, "a process has left the broker without a word");
                worker.has_vanished(other);
            }
        }
        worker.are_listed(&others);
    }
}

async fn is_there(channel: &Channel, broker: &Broker, process: &str) -> lapin::Result<bool> {
    let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
    let asked = async {
        let key = broker.presence(process);
        let asked = channel.basic_publish("".into(), key.into(), options, b"", BasicProperties::default());
        asked.await?.await
    };
    Ok(in_time(asked).await?.take_message().is_none())
}

/// The other processes that are on the list and do not stop, nor have been silent for so long that nobody needs a sign more.
async fn others(queue: &Queue, me: &str) -> Result<Vec<String>, DbErr> {
    let (db, lease) = (queue.db(), queue.settings().lease);
    let sql = "SELECT id FROM process WHERE id <> $1 AND NOT stopping AND $2 LIMIT 1000";
    let listed = db.composed(sql, [me.into(), lives(db, "process", 2 * lease)]);
    db.reader().query_all_raw(listed).await?.iter().map(|row| row.try_get("", "id")).collect()
}
