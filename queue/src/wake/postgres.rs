//! Hints by LISTEN and NOTIFY: one connection to listen, one to notify, both of their own, so that a busy pool delays no
//! hint and a hint is never part of somebody's transaction.

use model::TaskId;
use std::time::Duration;

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use sqlx::{ConnectOptions, PgConnection, postgres::PgListener};
use tokio_util::sync::CancellationToken;

use super::hints::UnsentHints;
use crate::{Queue, Result, TaskColumn, TaskEntity};

const CHANNEL: &str = "docket_queue";
/// Hints within this time go out as one.
const GATHER: Duration = Duration::from_millis(5);
/// How long nothing may be heard before it is asked whether the connection is there: one can be lost without a word.
const SILENCE: Duration = Duration::from_secs(15);
/// How long an answer to that, or to a notice, is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the last hint may take.
const LAST: Duration = Duration::from_secs(1);
/// Before a lost connection is made again.
const AGAIN: Duration = Duration::from_millis(500);

/// Tells the others what changes here, and this process what changes elsewhere, until `stop`. `me` marks what is our own.
pub async fn run(queue: &Queue, me: &str, stop: CancellationToken) {
    tokio::select! {
        () = async { tokio::join!(notify(queue, me), listen(queue, me)); } => {}
        () = stop.cancelled() => {}
    }
    // What was put back at the very end is to be taken by the others.
    if let Some(untold) = queue.inner.outgoing.take_now() {
        let last = tokio::time::timeout(LAST, send(&mut None, queue, &write(me, &untold))).await;
        if !matches!(last, Ok(Ok(()))) {
            tracing::debug!("the last hint was not sent");
        }
    }
}

async fn notify(queue: &Queue, me: &str) {
    let mut connection: Option<PgConnection> = None;
    loop {
        let untold = queue.inner.outgoing.take().await;
        let message = write(me, &untold);
        match in_time(send(&mut connection, queue, &message)).await {
            Ok(()) => tokio::time::sleep(GATHER).await,
            Err(error) => {
                tracing::debug!(%error, "a hint was not sent; again on another connection");
                connection = None;
                queue.inner.outgoing.lost();
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
}

async fn send(connection: &mut Option<PgConnection>, queue: &Queue, message: &str) -> Result<(), sqlx::Error> {
    let connection = match connection {
        Some(connection) => connection,
        None => {
            let options = queue.db().postgres_options().map_err(|error| sqlx::Error::Protocol(error.to_string()))?;
            connection.insert(options.connect().await?)
        }
    };
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(message).execute(connection).await.map(drop)
}

async fn listen(queue: &Queue, me: &str) {
    loop {
        if let Err(error) = hear(queue, me).await {
            tracing::warn!(%error, "hints of other processes are not heard; connecting again");
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Listens until the connection is lost.
async fn hear(queue: &Queue, me: &str) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(queue.db().url()).await?;
    listener.listen(CHANNEL).await?;
    // Whatever was said meanwhile was not heard.
    queue.inner.wake.call();
    queue.inner.changes.missed();
    loop {
        let heard = match tokio::time::timeout(SILENCE, listener.try_recv()).await {
            Ok(heard) => heard?,
            Err(_) => {
                in_time(sqlx::query("SELECT 1").execute(&mut listener)).await?;
                continue;
            }
        };
        let Some(heard) = heard else { return Ok(()) };
        let Some(hint) = read(me, heard.payload()) else { continue };
        if hint.due {
            queue.inner.wake.call();
        }
        if hint.more {
            queue.inner.changes.missed();
        } else if !hint.changed.is_empty() && queue.inner.changes.are_followed() {
            notify_all_of(queue, &hint).await;
        }
    }
}

async fn in_time<T>(asked: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    let answer = tokio::time::timeout(PATIENCE, asked).await;
    answer.unwrap_or_else(|_| Err(sqlx::Error::Protocol("no answer in time".to_owned())))
}

/// Looks at the changed rows once for all who follow them here.
async fn notify_all_of(queue: &Queue, hint: &UnsentHints) {
    let changed = TaskEntity::find().filter(TaskColumn::Id.is_in(hint.changed.iter().copied()));
    match changed.all(queue.db().reader()).await {
        Ok(tasks) => tasks.iter().for_each(|task| queue.inner.changes.notify(task)),
        Err(error) => {
            tracing::debug!(%error, "cannot look at what has changed");
            queue.inner.changes.missed();
        }
    }
}

/// What stands for all the tasks that a message has no room for.
const MORE: &str = "*";

/// `PROCESS due|- ID,ID…`
fn write(me: &str, untold: &UnsentHints) -> String {
    let mut ids: Vec<String> = untold.changed.iter().map(TaskId::to_string).collect();
    ids.extend(untold.more.then(|| MORE.to_owned()));
    format!("{me} {} {}", if untold.due { "due" } else { "-" }, ids.join(","))
}

/// A message of another process; nothing for one's own and for what nobody of us has written.
fn read(me: &str, message: &str) -> Option<UnsentHints> {
    let mut parts = message.splitn(3, ' ');
    let (from, due, ids) = (parts.next()?, parts.next()?, parts.next()?);
    if from == me {
        return None;
    }
    let changed = ids.split(',').filter_map(|id| id.parse().ok()).collect();
    Some(UnsentHints { due: due == "due", changed, more: ids.split(',').any(|id| id == MORE) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written_but_not_by_its_writer() {
        let untold =
            UnsentHints { due: true, changed: [TaskId::from_u128(1), TaskId::from_u128(2)].into(), more: true };
        let message = write("docket-1", &untold);
        assert!(message.len() < 8_000);
        assert_eq!(read("docket-2", &message), Some(untold));
        assert_eq!(read("docket-1", &message), None);
        for garbage in ["", "x", "x y", "💣 \0"] {
            assert_eq!(read("docket-1", garbage), None);
        }
        assert_eq!(read("docket-1", "x due not-an-id"), Some(UnsentHints { due: true, ..UnsentHints::default() }));
    }
}
