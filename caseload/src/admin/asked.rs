//! What an administrator's filter asks for: a value that nothing has ever had is refused by its name, where an empty list would say
//! that there is nothing of the sort. What this version knows may be asked for at any time; what only another version has written,
//! while it is on record.

use model::{
    Problem,
    admin::{AdminTaskQuery, AuditQuery},
};
use sea_orm::ConnectionTrait;

use super::audit;
use crate::{Caseload, Result};

impl Caseload {
    /// Refuses a search of tasks for what there never was.
    pub(super) async fn tasks_can_be_asked_for(&self, query: &AdminTaskQuery) -> Result<()> {
        if let Some(kind) = &query.kind
            && !self.queue().kinds().any(|known| known == kind)
        {
            let sql = "SELECT 1 FROM queued_task WHERE execution_component_name = $1 LIMIT 1";
            self.on_record("kind", kind, "kind of task", &[sql]).await?;
        }
        if let Some(process) = &query.process {
            let sql = [
                "SELECT 1 FROM process WHERE id = $1",
                "SELECT 1 FROM queued_task WHERE scheduled_by_process = $1 LIMIT 1",
                "SELECT 1 FROM task_attempt WHERE process = $1 LIMIT 1",
            ];
            self.on_record("process", process, "process", &sql).await?;
        }
        if let Some(cause) = &query.cause {
            let sql = "SELECT 1 FROM task_failure WHERE fingerprint = $1 LIMIT 1";
            self.on_record("cause", cause, "cause of failures", &[sql]).await?;
        }
        Ok(())
    }

    /// Refuses a search of the audit trail for what is never done.
    pub(super) async fn audit_can_be_asked_for(&self, query: &AuditQuery) -> Result<()> {
        match query.action.as_deref() {
            Some(action) if !audit::is_known(action) => {
                let sql = match action.ends_with('.') {
                    // A dot is followed by a slash in the order of characters.
                    true => "SELECT 1 FROM audit WHERE action >= $1 AND action < rtrim($1, '.') || '/' LIMIT 1",
                    false => "SELECT 1 FROM audit WHERE action = $1 LIMIT 1",
                };
                self.on_record("action", action, "action", &[sql]).await
            }
            _ => Ok(()),
        }
    }

    /// Refuses a value that none of these statements finds.
    async fn on_record(&self, field: &str, value: &str, noun: &str, statements: &[&str]) -> Result<()> {
        let db = self.db();
        for sql in statements {
            if db.reader().query_one_raw(db.statement(sql, [value.into()])).await?.is_some() {
                return Ok(());
            }
        }
        Err(unknown(field, value, noun).into())
    }
}

/// A value that there is not.
pub fn unknown(field: &str, value: &str, noun: &str) -> Problem {
    Problem::field(field, "unknown", format!("There is no {noun} {}.", model::text::quoted(value)))
}
