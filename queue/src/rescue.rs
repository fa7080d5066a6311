//! Takes tasks back from a process that is no more. Only ever called while this process is the only one that runs tasks.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::{
    Database, Result, Task, TaskColumn, TaskEntity, Trouble,
    settle::{Ending, settle},
};
use model::WorkflowStatus;

/// Deaths without progress after which a task is poison.
const CRASHES: i32 = 3;

/// Puts back every running task that is not `process`'s own, each in a transaction of its own, so that one row that cannot
/// be written blocks no other. Returns those that were put back.
pub async fn rescue(db: &Database, process: &str) -> Result<Vec<Task>> {
    let orphans = TaskEntity::find()
        .filter(TaskColumn::WorkflowStatus.is_in([WorkflowStatus::Scheduling, WorkflowStatus::Executing]))
        .filter(TaskColumn::ScheduledByProcess.ne(process))
        .order_by_asc(TaskColumn::Id)
        .all(db.reader())
        .await?;
    let mut rescued = Vec::new();
    for task in orphans {
        match rescue_one(db, &task).await {
            Ok(Some(task)) => rescued.push(task),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(task = %task.id, %error, "cannot take the task back; the next start tries again")
            }
        }
    }
    Ok(rescued)
}

async fn rescue_one(db: &Database, task: &Task) -> Result<Option<Task>> {
    let crash = !task.progressed;
    let ending = if crash && task.crashes + 1 >= CRASHES {
        Ending::Poison(Trouble::new("poison", format!("{CRASHES} processes died at it without any progress")))
    } else {
        Ending::Rescued { crash }
    };
    let txn = db.begin_write().await?;
    let settled = settle(db, &txn, task, &ending).await?;
    txn.commit().await?;
    if settled.is_some() {
        tracing::warn!(task = %task.id, attempt = task.attempt, ending = ending.word(), "took the task back");
    }
    Ok(settled)
}
