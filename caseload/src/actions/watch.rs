//! Watch and unwatch: people come onto the actor's own watch list, or leave it. Watching twice refreshes the date.

use model::{Action, action::WatchOperation};
use queue::Chunk;
use sea_orm::{ConnectionTrait, DbErr};

use super::Line;
use crate::{
    Actor, access,
    binds::Binds,
    ledger::{self, Range},
};

/// See [`super::verdict`]. Whoever is no longer the actor's can still be taken off the list.
pub fn verdict(operation: WatchOperation, actor: &Actor, binds: &mut Binds) -> String {
    match operation {
        WatchOperation::Watch => {
            let reach = access::reach(actor, binds);
            format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH' END")
        }
        WatchOperation::Unwatch => {
            let watched = access::watched(actor, binds);
            format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {watched} THEN 'NOT_WATCHED' END")
        }
    }
}

/// See [`super::line`].
pub fn line(operation: WatchOperation, actor: &Actor, binds: &mut Binds) -> Line {
    let after = match operation {
        WatchOperation::Watch => "'Watched'",
        WatchOperation::Unwatch => "'Not watched'",
    };
    Line { before: state(actor, binds), after: after.to_owned(), former: since(actor, binds) }
}

/// Whether the actor watches the person `p`, in words.
pub fn state(actor: &Actor, binds: &mut Binds) -> String {
    let watched = access::watched(actor, binds);
    format!("CASE WHEN {watched} THEN 'Watched' WHEN p.id IS NOT NULL THEN 'Not watched' END")
}

/// Since when, or null.
pub fn since(actor: &Actor, binds: &mut Binds) -> String {
    let watcher = binds.add(actor.person_id);
    format!("(SELECT w.watched_date FROM watch w WHERE w.watcher_id = {watcher} AND w.person_id = p.id)")
}

/// See [`super::apply`].
pub async fn apply(
    chunk: &Chunk<'_>,
    action: &Action,
    operation: WatchOperation,
    actor: &Actor,
    range: &Range,
) -> Result<(), DbErr> {
    ledger::lock_people(chunk, range).await?;
    ledger::judge(chunk, action, actor, range).await?;
    let mut binds = Binds::default();
    let (watcher, done) = (binds.add(actor.person_id), range.done(&mut binds));
    let sql = match operation {
        WatchOperation::Watch => {
            let now = binds.add(chunk.now);
            format!(
                "INSERT INTO watch (watcher_id, person_id, watched_date)
                 SELECT {watcher}, person_id, {now} FROM ({done}) AS changed WHERE TRUE
                 ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = excluded.watched_date"
            )
        }
        WatchOperation::Unwatch => format!("DELETE FROM watch WHERE watcher_id = {watcher} AND person_id IN ({done})"),
    };
    chunk.txn.execute_raw(chunk.db.statement(&sql, binds.values())).await?;
    Ok(())
}
