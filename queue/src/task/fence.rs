//! The fence: the first statement of every chunk, and the last.
//!
//! The first proves that the task is still this attempt's and takes its row, so that nobody can claim, rescue or abandon it
//! until the chunk ends. The last writes the bookmark and the counters. Both ask for (id, attempt, fence, EXECUTING); the
//! primary key is the index.
//!
//! The number of the attempt alone would not do: where an older backup is put back it counts backwards, and a run of before
//! meets its own number again, at work that is another's or no longer done. So each claim draws a number that nobody guesses,
//! each chunk writes down one more, and a run goes on only from where it has left its task itself.

use model::Instant;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QuerySelect, Value};

use crate::{Database, Progress, Task, TaskEntity, Trouble, claim::line::starts_at};

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
         WHERE id = $1 AND attempt = $2 AND fence = $4 AND workflow_status = 'EXECUTING' RETURNING modified_date",
        [task.id.into(), task.attempt.into(), deadline.as_secs_f64().into(), task.fence.into()],
    );
    let row = txn.query_one_raw(statement).await?;
    row.map(|row| row.try_get("", "modified_date")).transpose()
}

/// Where a chunk leaves its task.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// With this attempt, which goes on; `turned` to work of another sort.
    On { turned: bool },
    /// Back in the queue until an instant.
    Waits(Instant),
    /// Completed.
    Ends,
}

/// Writes how far the chunk has come and where it leaves the task. The row is locked since [`pass`].
pub async fn record(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    progress: &Progress,
    next: Next,
    trouble: Option<&Trouble>,
) -> Result<Option<Task>, DbErr> {
    let end = match next {
        Next::On { .. } => String::new(),
        Next::Waits(_) => format!(
            ", workflow_status = 'QUEUED', {}, workflow_status_desc = $11, scheduled_by_process = NULL, deadline = NULL, held = FALSE",
            starts_at("$10")
        ),
        Next::Ends => {
            ", workflow_status = 'COMPLETED', workflow_stopped_date = {now}, scheduled_by_process = NULL, deadline = NULL"
                .to_owned()
        }
    };
    let sql = format!(
        "UPDATE queued_task SET execution_state = $3, total = COALESCE($4, total), succeeded = succeeded + $5,
            skipped = skipped + $6, failed = failed + $7, uncertain = uncertain + $8, progressed = TRUE, crashes = 0,
            fence = fence + 1 {end}
         WHERE id = $1 AND attempt = $2 AND fence = $9 AND workflow_status = 'EXECUTING' RETURNING *"
    );
    let mut values: Vec<Value> = vec![
        task.id.into(),
        task.attempt.into(),
        progress.bookmark.to_string().into(),
        progress.total.into(),
        progress.succeeded.into(),
        progress.skipped.into(),
        progress.failed.into(),
        progress.uncertain.into(),
        task.fence.into(),
    ];
    if let Next::Waits(until) = next {
        values.push(until.into());
        values.push(trouble.map(Trouble::to_string).into());
    }
    let row = txn.query_one_raw(db.statement(&sql, values)).await?;
    row.map(|row| Task::from_query_result(&row, "")).transpose()
}

/// A task, with its row locked until the transaction ends.
pub async fn find_locked(txn: &DatabaseTransaction, id: uuid::Uuid) -> Result<Option<Task>, DbErr> {
    TaskEntity::find_by_id(id).lock_exclusive().one(txn).await
}

/// Moves a claimed task to EXECUTING. `None`: it is no longer this attempt's.
pub async fn start(db: &Database, txn: &DatabaseTransaction, task: &Task) -> Result<Option<Task>, DbErr> {
    let statement = db.statement(
        "UPDATE queued_task SET workflow_status = 'EXECUTING', execution_started_date = {now}, modified_date = {now}
         WHERE id = $1 AND attempt = $2 AND fence = $3 AND workflow_status = 'SCHEDULING' RETURNING *",
        [task.id.into(), task.attempt.into(), task.fence.into()],
    );
    let row = txn.query_one_raw(statement).await?;
    row.map(|row| Task::from_query_result(&row, "")).transpose()
}

/// Adds to the counters of a task that was ended from outside under this attempt: what the attempt had begun outside before
/// has come to its end since. No other attempt has the task, or its number would be another. That of its last chunk may be one
/// more, if the answer to it was lost. False: it is not so, and nothing was written.
pub async fn add_late(
    db: &Database,
    txn: &DatabaseTransaction,
    task: &Task,
    progress: &Progress,
) -> Result<bool, DbErr> {
    let statement = db.statement(
        "UPDATE queued_task SET succeeded = succeeded + $3, skipped = skipped + $4, failed = failed + $5,
            uncertain = uncertain + $6, modified_date = {now}
         WHERE id = $1 AND attempt = $2 AND fence - $7 IN (0, 1) AND workflow_status IN ('ABANDONED', 'FAILURE', 'ERROR')",
        [
            task.id.into(),
            task.attempt.into(),
            progress.succeeded.into(),
            progress.skipped.into(),
            progress.failed.into(),
            progress.uncertain.into(),
            task.fence.into(),
        ],
    );
    Ok(txn.execute_raw(statement).await?.rows_affected() == 1)
}
