//! Whether what a task changed has been put back, or is being put back.

use std::collections::HashMap;

use model::{Conflict, Problem, TaskId, TaskKind, TaskRow};
use queue::Transaction;
use sea_orm::{
    ConnectionTrait, QueryResult,
    sea_query::{Expr, ExprTrait},
};

use crate::{Caseload, Result, statement::composed};

/// Refuses to put back what another task puts back, or has put back. One that was given up, failed, or failed for somebody
/// has left something that can still be put back.
pub(crate) async fn check_undone(caseload: &Caseload, connection: &impl ConnectionTrait, id: TaskId) -> Result<()> {
    let undos = queue::children_that_count(connection, &[id], TaskKind::Undo.name()).await?;
    let Some(undo) = undos.first() else { return Ok(()) };
    let problem = match undo.workflow_status.is_finished() {
        true if undo.succeeded == 0 => {
            let nobody = "An undo has found nobody as this task left them, so that there is nobody to put back.";
            Problem::conflict(Conflict::UNDONE, nobody)
        }
        true => Problem::conflict(Conflict::UNDONE, "This task was put back before."),
        false => Problem::conflict(Conflict::UNDER_WAY, "This task is being put back already."),
    };
    // Only what has ended is put back, and so it stays.
    let task = caseload.queue().tasks_in(connection, &[id]).await?.pop();
    let status = task.map(|task| task.workflow_status.name());
    Err(problem.with("undoneBy", undo.id.to_string()).with("currentStatus", status).into())
}

/// The same within the transaction that would put it back, in which nobody else begins to.
pub(crate) async fn claim_undo(caseload: &Caseload, txn: &Transaction, id: TaskId) -> Result<()> {
    let sql = "SELECT id FROM queued_task WHERE id = $1 {for update}";
    txn.query_one_raw(caseload.db().statement(sql, [id.into()])).await?;
    check_undone(caseload, txn, id).await
}

/// Says of those rows that could be put back whether that has been done.
pub(crate) async fn tell_undone(caseload: &Caseload, rows: &mut [TaskRow]) -> Result<()> {
    let ids: Vec<TaskId> = rows.iter().filter(|row| row.can_undo).map(|row| row.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let undos = queue::children_that_count(caseload.db().reader(), &ids, TaskKind::Undo.name()).await?;
    let put_back =
        people_put_back(caseload, &undos.iter().filter_map(|undo| undo.parent_task_id).collect::<Vec<_>>()).await?;
    for row in rows.iter_mut().filter(|row| row.can_undo) {
        let Some(undo) = undos.iter().find(|undo| undo.parent_task_id == Some(row.id)) else { continue };
        row.can_undo = false;
        if undo.workflow_status.is_finished() {
            match put_back.get(&row.id).copied().unwrap_or_default() {
                0 => {}
                some if some < row.succeeded => row.label = "Partly undone".to_owned(),
                _ => row.label = "Undone".to_owned(),
            }
        }
    }
    Ok(())
}

/// How many people of each of these tasks were put back, also by undos that were given up halfway.
async fn people_put_back(caseload: &Caseload, ids: &[TaskId]) -> Result<HashMap<TaskId, u64>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT parent_task_id, CAST(SUM(succeeded) AS BIGINT) AS people FROM queued_task
         WHERE execution_component_name = $1 AND $2 GROUP BY parent_task_id";
    let of_these = Expr::col("parent_task_id").is_in(ids.iter().copied());
    let statement = composed(caseload.db(), sql, [TaskKind::Undo.into(), of_these]);
    let rows = caseload.db().reader().query_all_raw(statement).await?;
    let of = |row: QueryResult| {
        let people: i64 = row.try_get("", "people")?;
        Ok((row.try_get("", "parent_task_id")?, people.unsigned_abs()))
    };
    rows.into_iter().map(of).collect()
}
