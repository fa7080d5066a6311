//! The fence: the first statement of every chunk, and the last.
//!
//! The first proves that the task is still this attempt's and takes its row, so that nobody can claim, rescue or abandon it
//! until the chunk ends. The last writes the bookmark and the counters. Both ask for (id, attempt, fence, EXECUTING); the
//! primary key is the index.
//!
//! The number of the attempt alone would not do: where an older backup is put back it counts backwards, and a run of before
//! meets its own number again, at work that is another's or no longer done. So each claim draws a number that nobody guesses,
//! each chunk writes down one more, and a run goes on only from where it has left its task itself.

use model::{
    Instant, TaskId,
    WorkflowStatus::{self, Abandoned, Error, Executing, Failure},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};

use super::{
    attempt_at::AttemptAt,
    transition::{COMPLETE, Mover, START, WAIT, attempts_own},
};
use crate::{Database, Progress, Task, TaskColumn as Column, TaskEntity, TaskError, Transaction};

const RUNS: &[WorkflowStatus] = &[Executing];

/// Passes the fence, moving the deadline, and gives the instant of the chunk. `None`: the task belongs to somebody else now,
/// roll back and go.
pub async fn pass(
    db: &Database,
    txn: &Transaction,
    task: &Task,
    deadline: std::time::Duration,
) -> Result<Option<Instant>, DbErr> {
    let mut pass = Query::update();
    pass.table(TaskEntity).value(Column::ModifiedDate, db.instant());
    pass.value(Column::Deadline, db.instant_after(deadline.as_secs_f64()));
    pass.cond_where(attempts_own(task, RUNS)).returning(Query::returning().column(Column::ModifiedDate));
    let row = txn.query_one_raw(db.build(&pass)).await?;
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
    txn: &Transaction,
    task: &Task,
    progress: &Progress,
    next: Next,
    error: Option<&TaskError>,
) -> Result<Option<Task>, DbErr> {
    let added = |column: Column, more: i64| Expr::col(column).add(more);
    let writes = [
        (Column::ExecutionState, Expr::val(progress.bookmark.to_string())),
        (Column::Succeeded, added(Column::Succeeded, progress.succeeded)),
        (Column::Skipped, added(Column::Skipped, progress.skipped)),
        (Column::Failed, added(Column::Failed, progress.failed)),
        (Column::Uncertain, added(Column::Uncertain, progress.uncertain)),
        (Column::Progressed, Expr::val(true)),
        (Column::Crashes, Expr::val(0)),
        (Column::Fence, added(Column::Fence, 1)),
    ];
    let total = progress.total.map(|total| (Column::Total, Expr::val(total)));
    let all = writes.into_iter().chain(total);
    let mover = Mover::Attempt(task);
    match next {
        Next::On { .. } => {
            let mut update = Query::update();
            update.table(TaskEntity).values(all).cond_where(attempts_own(task, RUNS)).returning_all();
            let row = txn.query_one_raw(db.build(&update)).await?;
            row.map(|row| Task::from_query_result(&row, "")).transpose()
        }
        Next::Waits(until) => {
            let wait = WAIT.made_by(db, mover).starting_at(until.into()).because(error);
            all.fold(wait, |wait, (column, value)| wait.write(column, value)).make_one(txn).await
        }
        Next::Ends => {
            let complete = COMPLETE.made_by(db, mover);
            all.fold(complete, |complete, (column, value)| complete.write(column, value)).make_one(txn).await
        }
    }
}

/// A task, with its row locked until the transaction ends.
pub async fn find_locked(txn: &Transaction, id: TaskId) -> Result<Option<Task>, DbErr> {
    TaskEntity::find_by_id(id).lock_exclusive().one(txn).await
}

/// Moves a claimed task to EXECUTING. `None`: it is no longer this attempt's.
pub async fn start(db: &Database, txn: &Transaction, task: &Task) -> Result<Option<Task>, DbErr> {
    START.made_by(db, Mover::Attempt(task)).make_one(txn).await
}

/// Adds to the counters of a task that was ended from outside under this attempt: what the attempt had begun outside before
/// has come to its end since. No other attempt has the task, or its number would be another. That of its last chunk may be one
/// more, if the answer to it was lost. False: it is not so, and nothing was written.
pub async fn add_late(db: &Database, txn: &Transaction, task: &Task, progress: &Progress) -> Result<bool, DbErr> {
    let added = |column: Column, more: i64| (column, Expr::col(column).add(more));
    let mut add = Query::update();
    add.table(TaskEntity).value(Column::ModifiedDate, db.instant()).values([
        added(Column::Succeeded, progress.succeeded),
        added(Column::Skipped, progress.skipped),
        added(Column::Failed, progress.failed),
        added(Column::Uncertain, progress.uncertain),
    ]);
    add.cond_where(AttemptAt::of(task).stands_after_doubt());
    add.and_where(Column::WorkflowStatus.is_in([Abandoned, Failure, Error].map(WorkflowStatus::name)));
    Ok(txn.execute_raw(db.build(&add)).await?.rows_affected() == 1)
}
