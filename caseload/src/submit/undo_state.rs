//! Whether what a task changed has been put back, or is being put back.

use model::{Conflict, Problem, TaskId, TaskKind, TaskRow};
use queue::Transaction;
use sea_orm::ConnectionTrait;

use crate::{Caseload, Result, tasks::row::summary};

/// Refuses to put back what another task puts back, or has put back. One that was given up, failed, or failed for somebody
/// has left something that can still be put back.
pub(crate) async fn check_undone(caseload: &Caseload, connection: &impl ConnectionTrait, id: TaskId) -> Result<()> {
    let undos = queue::children_that_count(connection, &[id], TaskKind::Undo.name()).await?;
    let Some(undo) = undos.first() else { return Ok(()) };
    let problem = match undo.workflow_status.is_finished() {
        true if undo.succeeded == 0 => {
            let nobody = "Everyone has changed since this task, so there is nobody to restore.";
            Problem::conflict(Conflict::UNDONE, nobody)
        }
        true => Problem::conflict(Conflict::UNDONE, "This task has already been undone."),
        false => Problem::conflict(Conflict::UNDER_WAY, "This task is already being undone."),
    };
    // Only what has ended is put back, and so it stays.
    let task = caseload.queue().tasks_in(connection, &[id]).await?.pop();
    let status = task.map(|task| task.workflow_status.name());
    Err(problem.with("undoneBy", undo.id.to_string()).with("currentStatus", status).into())
}

/// The same within the transaction that would put it back, in which nobody else begins to.
pub(crate) async fn claim_undo(caseload: &Caseload, txn: &Transaction, id: TaskId) -> Result<()> {
    queue::find_locked(txn, id).await?;
    check_undone(caseload, txn, id).await
}

/// Says of those rows whose task changed somebody whether that has been put back, whoever looks. All rows come through here
/// (`caseload/src/tasks/row.rs`).
pub(crate) async fn add_undo_states(caseload: &Caseload, rows: &mut [TaskRow]) -> Result<()> {
    let changed = |row: &&mut TaskRow| row.status.is_finished() && row.succeeded > 0 && row.description().has_ledger();
    let rows: Vec<&mut TaskRow> = rows.iter_mut().filter(changed).collect();
    let ids: Vec<TaskId> = rows.iter().map(|row| row.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let undos = queue::children_that_count(caseload.db().reader(), &ids, TaskKind::Undo.name()).await?;
    let undone: Vec<_> = undos.iter().filter_map(|undo| undo.parent_task_id).collect();
    let put_back = queue::succeeded_after(caseload.db(), &undone, TaskKind::Undo.name()).await?;
    for row in rows {
        let Some(undo) = undos.iter().find(|undo| undo.parent_task_id == Some(row.id)) else { continue };
        row.can_undo = false;
        if undo.workflow_status.is_finished() {
            match put_back.get(&row.id).copied().unwrap_or_default() {
                0 => {}
                some => {
                    row.label = if some < row.succeeded { "Partly undone" } else { "Undone" }.to_owned();
                    let did = row.summary.take().unwrap_or_default();
                    row.summary = Some(summary::then_restored(&did, some, row.succeeded));
                }
            }
        }
    }
    Ok(())
}
