//! Who hears of a task that ended without being done and will not be tried again by itself.

use async_trait::async_trait;
use model::AttemptOutcome;
use sea_orm::DbErr;

use crate::{Database, Task, Transaction};

/// Takes a dead-task notice, in the transaction that ends the task: what it writes stands exactly if the ending does.
#[async_trait]
pub trait Notices: Send + Sync {
    /// `how` is how its last attempt ended.
    async fn dead(&self, db: &Database, txn: &Transaction, task: &Task, how: AttemptOutcome) -> Result<(), DbErr>;
}

/// Leaves it at the line in the log that there is of each.
pub struct LogOnly;

#[async_trait]
impl Notices for LogOnly {
    async fn dead(&self, _: &Database, _: &Transaction, _: &Task, _: AttemptOutcome) -> Result<(), DbErr> {
        Ok(())
    }
}

/// The line in the log, once the ending is committed: until then nobody knows whether the task is dead.
pub(crate) fn log(task: &Task, how: AttemptOutcome) {
    let why = task.workflow_status_desc.as_deref().unwrap_or_default();
    tracing::error!(task = %task.id, kind = task.execution_component_name, how = how.name(), why, "the task is dead");
}
