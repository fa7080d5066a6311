//! Dead-task notices: the log and the audit hear of each task that ended without being done.

use async_trait::async_trait;
use queue::{
    Database, Task,
    notice::{self, Notices},
};
use sea_orm::{DatabaseTransaction, DbErr};
use serde_json::json;

use crate::audit::{self, Entry};

/// Leaves the trace of each dead task in the transaction that ends it.
pub struct DeadTasks;

#[async_trait]
impl Notices for DeadTasks {
    async fn dead(&self, db: &Database, txn: &DatabaseTransaction, task: &Task, how: &str) -> Result<(), DbErr> {
        notice::log(task, how);
        let entry = Entry {
            actor_id: None,
            action: "task.dead",
            object_kind: "task",
            object_id: Some(task.id.to_string()),
            detail: json!({ "kind": task.execution_component_name, "how": how, "attempt": task.attempt }),
        };
        audit::record(db, txn, entry).await
    }
}
