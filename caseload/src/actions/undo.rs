//! Undo: what an earlier task changed is put back, for those who are still as it left them. The others are listed.

use model::{Action, action::WatchOperation};
use queue::Chunk;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::{Line, program_status, watch};
use crate::{
    Actor, access,
    binds::Binds,
    ledger::{self, Range},
};

/// See [`super::verdict`].
pub fn verdict(task: Uuid, of: &Action, actor: &Actor, binds: &mut Binds) -> String {
    let (reach, as_left) = match of {
        Action::ProgramStatus { .. } => {
            (access::reach(actor, binds), format!("EXISTS ({})", written(task, "h.id", binds)))
        }
        // One's own list, whoever is on it.
        Action::Watch { operation: WatchOperation::Watch } => {
            let (watcher, task) = (binds.add(actor.person_id), binds.add(task));
            let same = format!(
                "EXISTS (SELECT 1 FROM watch w JOIN task_person did ON did.task_id = {task} AND did.person_id = w.person_id
                    WHERE w.watcher_id = {watcher} AND w.person_id = p.id AND w.watched_date = did.outcome_date)"
            );
            ("TRUE".to_owned(), same)
        }
        Action::Watch { operation: WatchOperation::Unwatch } => {
            ("TRUE".to_owned(), format!("NOT {}", access::watched(actor, binds)))
        }
        Action::Export { .. } | Action::Undo { .. } => ("TRUE".to_owned(), "FALSE".to_owned()),
    };
    format!(
        "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH'
              WHEN NOT {as_left} THEN 'CHANGED_SINCE' END"
    )
}

/// See [`super::line`].
pub fn line(task: Uuid, of: &Action, actor: &Actor, binds: &mut Binds) -> Line {
    match of {
        Action::Watch { operation } => {
            let (before, former) = (watch::state(actor, binds), watch::since(actor, binds));
            let after = match operation {
                WatchOperation::Unwatch => "'Watched'".to_owned(),
                WatchOperation::Watch => {
                    format!("CASE WHEN {} IS NULL THEN 'Not watched' ELSE 'Watched' END", watched_before(task, binds))
                }
            };
            Line { before, after, former }
        }
        _ => {
            let former = former(task, &program_status::worded("f"), binds);
            let before = program_status::worded("p");
            Line { before, after: format!("({former})"), former: "p.status_date".to_owned() }
        }
    }
}

/// Of the person `p`, a column of the open history row `h`, if `task` wrote it and something was there before.
fn written(task: Uuid, column: &str, binds: &mut Binds) -> String {
    let task = binds.add(task);
    format!(
        "SELECT {column} FROM program_status_history h
         WHERE h.person_id = p.id AND h.expiration_date IS NULL AND h.task_id = {task} AND EXISTS (
            SELECT 1 FROM program_status_history b WHERE b.person_id = h.person_id AND b.expiration_date = h.effective_date)"
    )
}

/// Of the person `p`, a column of the history row `f` that ended when the one that `task` wrote began.
fn former(task: Uuid, column: &str, binds: &mut Binds) -> String {
    let began = written(task, "h.effective_date", binds);
    format!(
        "SELECT {column} FROM program_status_history f
         WHERE f.person_id = p.id AND f.expiration_date = ({began}) ORDER BY f.id DESC LIMIT 1"
    )
}

/// Since when the person `p` was watched before `task` did.
fn watched_before(task: Uuid, binds: &mut Binds) -> String {
    let task = binds.add(task);
    format!("(SELECT did.former_date FROM task_person did WHERE did.task_id = {task} AND did.person_id = p.id)")
}

/// See [`super::apply`].
pub async fn apply(
    chunk: &Chunk<'_>,
    action: &Action,
    (task, of): (Uuid, &Action),
    actor: &Actor,
    range: &Range,
) -> Result<(), DbErr> {
    ledger::lock_people(chunk, range).await?;
    ledger::judge(chunk, action, actor, range).await?;
    match of {
        Action::Watch { operation } => rewatch(chunk, task, *operation, actor, range).await,
        _ => restore(chunk, task, actor, range).await,
    }
}

/// Gives back the former status. The person first, while the history still says what it was.
async fn restore(chunk: &Chunk<'_>, task: Uuid, actor: &Actor, range: &Range) -> Result<(), DbErr> {
    let (db, txn) = (chunk.db, chunk.txn);
    let mut binds = Binds::default();
    let status = former(task, "f.program_status", &mut binds);
    let reason = former(task, "f.change_reason", &mut binds);
    let now = binds.add(chunk.now);
    let done = range.done(&mut binds);
    let set = format!(
        "UPDATE person AS p SET program_status = ({status}), change_reason = ({reason}), status_date = {now},
            modified_date = {now} WHERE p.id IN ({done})"
    );
    txn.execute_raw(db.statement(&set, binds.values())).await?;
    program_status::close(chunk, range).await?;
    let mut binds = Binds::default();
    let (now, by, task) = (binds.add(chunk.now), binds.add(actor.person_id), binds.add(range.task_id));
    let done = range.done(&mut binds);
    let open = format!(
        "INSERT INTO program_status_history (person_id, program_status, change_reason, effective_date, created_by, task_id)
         SELECT p.id, p.program_status, p.change_reason, {now}, {by}, {task} FROM person p WHERE p.id IN ({done})"
    );
    txn.execute_raw(db.statement(&open, binds.values())).await?;
    Ok(())
}

/// Gives back the watch list with its former dates.
async fn rewatch(
    chunk: &Chunk<'_>,
    task: Uuid,
    operation: WatchOperation,
    actor: &Actor,
    range: &Range,
) -> Result<(), DbErr> {
    let (db, txn) = (chunk.db, chunk.txn);
    let mut binds = Binds::default();
    let (watcher, task, done) = (binds.add(actor.person_id), binds.add(task), range.done(&mut binds));
    let before = format!(
        "SELECT did.person_id, did.former_date FROM task_person did
         WHERE did.task_id = {task} AND did.person_id IN ({done})"
    );
    if operation == WatchOperation::Watch {
        let sql = format!(
            "DELETE FROM watch WHERE watcher_id = {watcher} AND person_id IN (
                SELECT person_id FROM ({before}) AS did WHERE former_date IS NULL)"
        );
        txn.execute_raw(db.statement(&sql, binds.clone().values())).await?;
    }
    let sql = format!(
        "INSERT INTO watch (watcher_id, person_id, watched_date)
         SELECT {watcher}, person_id, former_date FROM ({before}) AS did WHERE former_date IS NOT NULL
         ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = excluded.watched_date"
    );
    txn.execute_raw(db.statement(&sql, binds.values())).await?;
    Ok(())
}
