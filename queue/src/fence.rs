//! The fence: the first statement of every chunk, and the last.
//!
//! The first proves that the task is still this attempt's and takes its row, so that nobody can claim, rescue or abandon it
//! until the chunk ends. The last writes the bookmark and the counters. Both ask for (id, attempt, EXECUTING); the primary
//! key is the index.

use model::Instant;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};

use crate::{Database, Progress, Task};

/// Passes the fence, moving the deadline, and gives the instant of the chunk. `None`: the task belongs to somebody else now,
/// roll back and go.
pub async fn pass(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    deadline: std::time::Duration,
) -> Result<Option<Instant>, DbErr> {
    let statement = db.statement(
        "UPDATE queued_task SET modified_date = {now}, deadline = {after:$3}
         WHERE id = $1 AND attempt = $2 AND workflow_status = 'EXECUTING' RETURNING modified_date",
        [task.id.into(), task.attempt.into(), deadline.as_secs_f64().into()],
    );
    let row = txn.query_one_raw(statement).await?;
    row.map(|row| row.try_get("", "modified_date")).transpose()
}

/// Writes how far the chunk has come, and with `completed` that the task is done. The row is locked since [`pass`].
pub async fn record(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    progress: &Progress,
    completed: bool,
) -> Result<Option<Task>, DbErr> {
    let end = if completed {
        ", workflow_status = 'COMPLETED', workflow_stopped_date = {now}, scheduled_by_process = NULL, deadline = NULL"
    } else {
        ""
    };
    let sql = format!(
        "UPDATE queued_task SET execution_state = $3, total = COALESCE($4, total), succeeded = succeeded + $5,
            skipped = skipped + $6, failed = failed + $7, uncertain = uncertain + $8, progressed = TRUE, crashes = 0 {end}
         WHERE id = $1 AND attempt = $2 AND workflow_status = 'EXECUTING' RETURNING *"
    );
    let values: [Value; 8] = [
        task.id.into(),
        task.attempt.into(),
        progress.bookmark.to_string().into(),
        progress.total.into(),
        progress.succeeded.into(),
        progress.skipped.into(),
        progress.failed.into(),
        progress.uncertain.into(),
    ];
    let row = txn.query_one_raw(db.statement(&sql, values)).await?;
    row.map(|row| Task::from_query_result(&row, "")).transpose()
}

/// Moves a claimed task to EXECUTING. `None`: it is no longer this attempt's.
pub async fn start(db: &Database, txn: &DatabaseTransaction, task: &Task) -> Result<Option<Task>, DbErr> {
    let statement = db.statement(
        "UPDATE queued_task SET workflow_status = 'EXECUTING', execution_started_date = {now}, modified_date = {now}
         WHERE id = $1 AND attempt = $2 AND workflow_status = 'SCHEDULING' RETURNING *",
        [task.id.into(), task.attempt.into()],
    );
    let row = txn.query_one_raw(statement).await?;
    row.map(|row| Task::from_query_result(&row, "")).transpose()
}
