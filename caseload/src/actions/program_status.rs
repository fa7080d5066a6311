//! Program status change: judge each person, close their open history row, open the next, and set the status.

use model::{Action, ChangeReason, ProgramStatus};
use queue::Chunk;
use sea_orm::{ConnectionTrait, DbErr};

use super::Line;
use crate::{
    Actor, access,
    binds::Binds,
    ledger::{self, Range},
};

/// What is to be set.
pub struct Change<'a> {
    pub status: ProgramStatus,
    pub reason: Option<ChangeReason>,
    /// For each person's history.
    pub comment: Option<&'a str>,
}

/// See [`super::verdict`]. Non-participating for another reason is a change.
pub fn verdict(status: ProgramStatus, reason: Option<ChangeReason>, actor: &Actor, binds: &mut Binds) -> String {
    let reach = access::reach(actor, binds);
    let (status, reason) = (binds.add(status.name()), binds.add(reason.map_or("", ChangeReason::name)));
    format!(
        "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH'
              WHEN NOT p.activated THEN 'NOT_ACTIVATED'
              WHEN p.program_status = {status} AND COALESCE(p.change_reason, '') = {reason} THEN 'ALREADY_THERE' END"
    )
}

/// See [`super::line`].
pub fn line(status: ProgramStatus, reason: Option<ChangeReason>, binds: &mut Binds) -> Line {
    let reason = reason.map(|reason| format!(" ({})", reason.label())).unwrap_or_default();
    let after = binds.add(format!("{}{reason}", status.label()));
    Line { before: worded("p"), after: format!("CAST({after} AS text)"), former: "p.status_date".to_owned() }
}

/// The status of a row `alias` with its reason, in words: `Non-participating (Health)`.
pub fn worded(alias: &str) -> String {
    let status = label(&format!("{alias}.program_status"));
    format!("({status} || COALESCE(' (' || {} || ')', ''))", reason(&format!("{alias}.change_reason")))
}

/// The words that people read for the reason in a column.
pub fn reason(column: &str) -> String {
    let labels: String =
        ChangeReason::ALL.iter().map(|r| format!("WHEN '{}' THEN '{}' ", r.name(), r.label())).collect();
    format!("CASE {column} {labels}END")
}

/// The word that people read for the status in a column.
pub fn label(column: &str) -> String {
    let labels: String =
        ProgramStatus::ALL.iter().map(|s| format!("WHEN '{}' THEN '{}' ", s.name(), s.label())).collect();
    format!("CASE {column} {labels}END")
}

/// See [`super::apply`].
pub async fn apply(
    chunk: &Chunk<'_>,
    action: &Action,
    change: &Change<'_>,
    actor: &Actor,
    range: &Range,
) -> Result<(), DbErr> {
    let (db, txn) = (chunk.db, chunk.txn);
    ledger::lock_people(chunk, range).await?;
    ledger::judge(chunk, action, actor, range).await?;
    close(chunk, range).await?;

    let mut binds = Binds::default();
    let (task, now, by) = (binds.add(range.task_id), binds.add(chunk.now), binds.add(actor.person_id));
    let (status, reason) = (binds.add(change.status.name()), binds.add(change.reason.map(ChangeReason::name)));
    let comment = binds.add(change.comment.map(str::to_owned));
    let done = range.done(&mut binds);
    let open = format!(
        "INSERT INTO program_status_history
            (person_id, program_status, change_reason, comment, effective_date, created_by, task_id)
         SELECT person_id, {status}, {reason}, {comment}, {now}, {by}, {task} FROM ({done}) AS changed"
    );
    txn.execute_raw(db.statement(&open, binds.values())).await?;

    let mut binds = Binds::default();
    let (status, reason) = (binds.add(change.status.name()), binds.add(change.reason.map(ChangeReason::name)));
    let now = binds.add(chunk.now);
    let done = range.done(&mut binds);
    let set = format!(
        "UPDATE person SET program_status = {status}, change_reason = {reason}, status_date = {now}, modified_date = {now}
         WHERE id IN ({done})"
    );
    txn.execute_raw(db.statement(&set, binds.values())).await?;
    Ok(())
}

/// Closes the open history rows of those who are changed.
pub async fn close(chunk: &Chunk<'_>, range: &Range) -> Result<(), DbErr> {
    let mut binds = Binds::default();
    let now = binds.add(chunk.now);
    let done = range.done(&mut binds);
    let sql = format!(
        "UPDATE program_status_history SET expiration_date = {now}
         WHERE expiration_date IS NULL AND person_id IN ({done})"
    );
    chunk.txn.execute_raw(chunk.db.statement(&sql, binds.values())).await?;
    Ok(())
}
