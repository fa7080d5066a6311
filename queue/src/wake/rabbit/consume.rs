//! Takes messages and looks their tasks up. A message is acknowledged as soon as it is read: it has done what a hint can do,
//! and whatever it spoke of is found by polling as well.

use std::{sync::Arc, time::Instant};

use futures::{FutureExt, StreamExt};
use lapin::{
    Channel, Consumer,
    message::Delivery,
    options::{BasicAckOptions, BasicCancelOptions, BasicConsumeOptions, BasicQosOptions},
    types::FieldTable,
};
use sea_orm::{ConnectionTrait, DbErr};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    connect::{Again, in_time},
    presence,
    waiting::Waiting,
};
use crate::{Broker, Queue, binds, meters, meters::Heard};

/// Messages on their way to this process at most; as many are looked up by one statement.
const AT_ONCE: u16 = 200;

/// What the consumer needs to know of the runtime that it wakes.
pub trait Worker: Send + Sync {
    /// Its identity in the table of processes.
    fn process(&self) -> &str;

    /// Whether it could claim anything now.
    fn has_room(&self) -> bool;

    /// Another process has left the broker without a word.
    fn has_vanished(&self, process: &str);
}

/// Takes messages until `stop`, and is seen by others until `gone`.
pub async fn run(
    queue: &Queue,
    broker: &Broker,
    worker: Arc<dyn Worker>,
    stop: &CancellationToken,
    gone: &CancellationToken,
) {
    let mut waiting = Waiting::new(broker.retry_time, broker.give_up_time);
    let mut again = Again::new("listening");
    loop {
        let began = Instant::now();
        let connected = async {
            let (connection, channel) = broker.connect(worker.process()).await?;
            let watch = presence::watch(queue, broker, &connection, &*worker);
            let hear = hear(queue, broker, &channel, &*worker, &mut waiting, stop);
            tokio::try_join!(watch, hear).map(drop)
        };
        match gone.run_until_cancelled(connected).await {
            Some(Err(error)) if again.wait(began, &error, gone).await => {}
            _ => return,
        }
    }
}

/// Takes messages until the connection is lost; after `stop` no more of them.
async fn hear(
    queue: &Queue,
    broker: &Broker,
    channel: &Channel,
    worker: &dyn Worker,
    waiting: &mut Waiting,
    stop: &CancellationToken,
) -> lapin::Result<()> {
    in_time(channel.basic_qos(AT_ONCE, BasicQosOptions::default())).await?;
    let tag = worker.process();
    let options = BasicConsumeOptions::default();
    let consuming = channel.basic_consume(broker.queue().into(), tag.into(), options, FieldTable::default());
    let mut messages = in_time(consuming).await?;
    tracing::info!("listening to the broker");
    // Whatever was said meanwhile was not heard.
    queue.inner.wake.notify_one();
    while !stop.is_cancelled() {
        let next = waiting.next();
        let look_again = async {
            match next {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        let ids = tokio::select! {
            message = messages.next() => {
                let lost = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
                read(message.ok_or_else(lost)??, &mut messages).await?
            }
            () = look_again => {
                let (due, given_up) = waiting.due(Instant::now());
                meters::heard(Heard::GivenUp, given_up);
                due
            }
            () = stop.cancelled() => break,
        };
        for part in ids.chunks(AT_ONCE.into()) {
            look_up(queue, worker, waiting, part).await;
        }
    }
    // What has been sent here and not been read goes to the others.
    in_time(channel.basic_cancel(tag.into(), BasicCancelOptions::default())).await?;
    drop(messages);
    std::future::pending().await
}

/// The ids in this message and in those that are there already.
async fn read(first: Delivery, more: &mut Consumer) -> lapin::Result<Vec<Uuid>> {
    let (mut ids, mut garbage) = (Vec::new(), 0);
    let mut last = first;
    loop {
        match std::str::from_utf8(&last.data).ok().and_then(|text| text.parse().ok()) {
            Some(id) => ids.push(id),
            None => garbage += 1,
        }
        // Whatever is taken out has to be read, or nobody else gets it either.
        if ids.len() + garbage == usize::from(AT_ONCE) {
            break;
        }
        match more.next().now_or_never() {
            Some(Some(next)) => last = next?,
            _ => break,
        }
    }
    in_time(last.ack(BasicAckOptions { multiple: true })).await?;
    meters::heard(Heard::Garbage, garbage);
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Looks at these tasks: those that wait wake the runtime, those that are not there wait, and the others are over.
async fn look_up(queue: &Queue, worker: &dyn Worker, waiting: &mut Waiting, ids: &[Uuid]) {
    let now = Instant::now();
    let found = match statuses(queue, ids).await {
        Ok(found) => found,
        Err(error) => {
            tracing::debug!(%error, "cannot look tasks up; again in a while");
            for id in ids {
                waiting.add(*id, now);
            }
            return;
        }
    };
    let mut due = 0;
    for id in ids {
        match found.iter().find(|(there, _)| there == id) {
            Some((_, waits)) => {
                waiting.remove(*id);
                due += usize::from(*waits);
                meters::heard(if *waits { Heard::Due } else { Heard::Over }, 1);
            }
            None if waiting.add(*id, now) => meters::heard(Heard::Absent, 1),
            None => meters::heard(Heard::NoRoom, 1),
        }
    }
    if due == 0 {
        return;
    }
    queue.inner.wake.notify_one();
    // Whoever is full has taken a message that others could use.
    if !worker.has_room() {
        queue.inner.outgoing.due();
    }
}

/// Those of the tasks that are there, and whether they wait to be claimed.
async fn statuses(queue: &Queue, ids: &[Uuid]) -> Result<Vec<(Uuid, bool)>, DbErr> {
    let mut values = Vec::new();
    let these = binds::one_of(&mut values, "id", ids.iter().copied());
    let sql = format!("SELECT id, workflow_status = 'QUEUED' AS waits FROM queued_task WHERE {these}");
    let db = queue.db();
    let rows = db.reader().query_all_raw(db.statement(&sql, values)).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "waits")?))).collect()
}
