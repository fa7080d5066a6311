//! What the operator hears of each task that is dead.

use async_trait::async_trait;
use model::{AttemptOutcome, kind::label_of};
use queue::{Database, Task, Transaction, dead_task_notice::Notices};
use sea_orm::DbErr;
use serde_json::json;

use super::rows::{About, Words, put};
use crate::{
    audit::entry::{self, By, Entry},
    entity::mail::notice::State,
    mail::Mail,
};

/// Leaves the trace of each dead task in the transaction that ends it, and the notice to the operator.
pub struct DeadTasks(pub Mail);

#[async_trait]
impl Notices for DeadTasks {
    async fn dead(&self, db: &Database, txn: &Transaction, task: &Task, how: AttemptOutcome) -> Result<(), DbErr> {
        let entry = Entry {
            by: By::Docket,
            action: "task.dead",
            object_kind: "task",
            object_id: Some(task.id.to_string()),
            detail: json!({ "kind": task.execution_component_name, "how": how.name(), "attempt": task.attempt }),
        };
        entry::record(db, txn, entry).await?;
        let settings = self.0.settings();
        let Some(operator) = settings.operator.as_ref().filter(|_| self.0.is_configured()) else { return Ok(()) };
        let words = Words {
            subject: format!("Docket: a task has failed ({})", label_of(&task.execution_component_name)),
            body: format!(
                "The task failed, and Docket will not retry it. You can retry or close it with the link below.\n\nTask: {}\nOutcome: {}\nReason: {}\nAttempt: {}\n\n{}",
                model::short_id(task.id),
                how.label(),
                task.workflow_status_desc.as_deref().unwrap_or("no reason recorded"),
                task.attempt,
                settings.link(task.id)
            ),
        };
        put(db, txn, About::Death(task.id), operator.as_ref(), words, State::Waiting).await
    }
}
