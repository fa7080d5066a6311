//! Takes messages and looks their tasks up. A message is acknowledged as soon as it is read: it has done what a hint can do,
//! and whatever it spoke of is found by polling as well.

use model::TaskId;
use std::{sync::Arc, time::Instant};

use futures::{FutureExt, StreamExt};
use lapin::{
    Consumer,
    message::Delivery,
    options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions},
    types::FieldTable,
};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr};
use tokio_util::sync::CancellationToken;

use super::{
    connect::{Again, in_time},
    metrics::{self, Heard},
    not_yet_committed::{Absence, Waiting},
    process_presence,
    task_messages::Worker,
};
use crate::{Broker, Queue, TaskColumn as Column};

/// Messages on their way to this process at most; as many are looked up by one statement.
const AT_ONCE: u16 = 200;

/// Takes messages until `stop`, and is seen by others until `gone`.
pub async fn run(
    queue: &Queue,
    broker: &Broker,
    worker: Arc<dyn Worker>,
    stop: &CancellationToken,
    gone: &CancellationToken,
) {
    let there = process_presence::run(queue, broker, &*worker, gone);
    let mut waiting = Waiting::new(broker.retry_time, broker.give_up_time);
    let mut again = Again::new("listening");
    let heard = async {
        loop {
            let began = Instant::now();
            let heard = hear(queue, broker, &*worker, &mut waiting, stop);
            match stop.run_until_cancelled(heard).await {
                Some(Err(error)) if again.wait(began, &error, stop).await => {}
                _ => return,
            }
        }
    };
    tokio::join!(there, gone.run_until_cancelled(heard));
}

/// Takes messages until the connection is lost. When this is dropped, what was sent here and not read goes to the others.
async fn hear(
    queue: &Queue,
    broker: &Broker,
    worker: &dyn Worker,
    waiting: &mut Waiting,
    stop: &CancellationToken,
) -> lapin::Result<()> {
    let (connection, channel) = broker.connect(worker.process()).await?;
    in_time(channel.basic_qos(AT_ONCE, BasicQosOptions::default())).await?;
    let tag = worker.process();
    let options = BasicConsumeOptions::default();
    let consuming = channel.basic_consume(broker.queue().into(), tag.into(), options, FieldTable::default());
    let mut messages = in_time(consuming).await?;
    tracing::info!("listening to the broker");
    // Whatever was said meanwhile was not heard.
    queue.inner.wake.call();
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
            () = look_again => waiting.due(Instant::now()),
        };
        for part in ids.chunks(AT_ONCE.into()) {
            look_up(queue, worker, waiting, part).await;
        }
    }
    in_time(connection.close(200, "stopping".into())).await
}

/// The ids in this message and in those that are there already.
async fn read(first: Delivery, more: &mut Consumer) -> lapin::Result<Vec<TaskId>> {
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
    metrics::heard(Heard::Garbage, garbage);
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Looks at these tasks: those that wait wake the runtime, those that are not there wait, and the others are over.
async fn look_up(queue: &Queue, worker: &dyn Worker, waiting: &mut Waiting, ids: &[TaskId]) {
    let now = Instant::now();
    let found = match statuses(queue, ids).await {
        Ok(found) => found,
        Err(error) => {
            tracing::debug!(%error, "cannot look tasks up; again in a while");
            for id in ids {
                waiting.absent(*id, now);
            }
            return;
        }
    };
    let mut due = Vec::new();
    for id in ids {
        let Some((_, kind)) = found.iter().find(|(there, _)| there == id) else {
            match waiting.absent(*id, now) {
                Absence::New => metrics::heard(Heard::Absent, 1),
                Absence::Known => {}
                Absence::GivenUp => metrics::heard(Heard::GivenUp, 1),
                Absence::NoRoom => metrics::heard(Heard::NoRoom, 1),
            }
            continue;
        };
        waiting.remove(*id);
        metrics::heard(if kind.is_some() { Heard::Due } else { Heard::Over }, 1);
        match kind {
            Some(kind) if queue.inner.registry.get(kind).is_some() => due.push(*id),
            // Of a newer version, which has others to run it.
            Some(_) => queue.inner.outgoing.due(),
            None => {}
        }
    }
    if !due.is_empty() {
        worker.is_told(&due);
    }
}

/// Those of the tasks that are there, with the kind of those that wait to be claimed.
async fn statuses(queue: &Queue, ids: &[TaskId]) -> Result<Vec<(TaskId, Option<String>)>, DbErr> {
    let sql = "SELECT id, CASE WHEN workflow_status = 'QUEUED' THEN execution_component_name END AS kind
         FROM queued_task WHERE $1";
    let db = queue.db();
    let rows = db.reader().query_all_raw(db.composed(sql, [Column::Id.is_in(ids.iter().copied())])).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "kind")?))).collect()
}
