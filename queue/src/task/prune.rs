//! Takes old rows off the tables, in bounded deletes, so that no statement runs long and nobody waits.

use std::time::Duration;

use async_trait::async_trait;
use model::{TaskId, WorkflowStatus, counted};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, Statement,
    sea_query::{Expr, ExprTrait},
};

use super::transition::{CLOSE, Mover};
use crate::{Database, Result, TaskColumn, TaskEntity, lock::Lock, schedule::Work};

/// Rows of one delete.
const AT_ONCE: i64 = 500;

/// Prunes tasks that ended longer ago than a retention, together with their attempts.
pub struct PruneTasks {
    db: Database,
    /// Nothing: tasks are kept for ever.
    retention: Option<Duration>,
}

impl PruneTasks {
    pub fn new(db: Database, retention: Option<Duration>) -> PruneTasks {
        PruneTasks { db, retention }
    }
}

#[async_trait]
impl Work for PruneTasks {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let Some(retention) = self.retention else { return Ok("tasks are kept for ever".to_owned()) };
        let sql = "DELETE FROM queued_task WHERE id IN (
            SELECT id FROM queued_task WHERE workflow_status {is finished}
              AND workflow_stopped_date < $1 ORDER BY id LIMIT $2)";
        let pruned =
            in_batches(&self.db, |most| self.db.composed(sql, [long_ago(&self.db, retention), most.into()])).await?;
        Ok(model::tasks(pruned))
    }
}

/// Puts a task that ended longer ago than `retention` beyond a retry, so that what belongs to it can be deleted. Whether it
/// is: it may have been retried since it was looked at.
pub async fn close(db: &Database, id: TaskId, retention: Duration) -> Result<bool> {
    let long_ago = Expr::col(TaskColumn::WorkflowStoppedDate).lt(long_ago(db, retention));
    let txn = db.begin_write().await?;
    let close = CLOSE.made_by(db, Mover::Retention(id)).write(TaskColumn::FinishReason, "Kept for its time");
    let mut closed = close.only(long_ago.clone()).make_one(&txn).await?.is_some();
    if !closed {
        let over = TaskColumn::WorkflowStatus.is_in([WorkflowStatus::Completed, WorkflowStatus::Abandoned]);
        closed = TaskEntity::find_by_id(id).filter(over.and(long_ago)).one(&txn).await?.is_some();
    }
    db.commit(txn).await?;
    Ok(closed)
}

fn long_ago(db: &Database, span: Duration) -> Expr {
    db.instant_after(-span.as_secs_f64())
}

/// How long processes that died are remembered.
const REMEMBERED: Duration = Duration::from_secs(86_400);

/// Takes processes off the list that went without saying so. On SQLite the next one does that, at its start.
pub struct PruneProcesses {
    db: Database,
}

impl PruneProcesses {
    pub fn new(db: Database) -> PruneProcesses {
        PruneProcesses { db }
    }
}

#[async_trait]
impl Work for PruneProcesses {
    async fn fire(&self, _: &Lock) -> Result<String> {
        if !self.db.is_shared() {
            return Ok("no other processes here".to_owned());
        }
        let sql = "DELETE FROM process WHERE id IN (
            SELECT id FROM process WHERE heartbeat_date < $1 LIMIT $2)";
        let pruned =
            in_batches(&self.db, |most| self.db.composed(sql, [long_ago(&self.db, REMEMBERED), most.into()])).await?;
        Ok(counted(pruned, "process", "processes"))
    }
}

/// Runs a delete again and again, each time for as many rows as it is given in a transaction of its own, until there is nothing
/// left.
pub async fn in_batches(db: &Database, delete: impl Fn(i64) -> Statement) -> Result<u64> {
    let mut all = 0;
    loop {
        let done = db.write_statement(delete(AT_ONCE)).await?;
        all += done;
        if done < AT_ONCE.unsigned_abs() {
            return Ok(all);
        }
    }
}
