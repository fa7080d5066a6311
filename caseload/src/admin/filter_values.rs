//! What an administrator's filter asks for: a value that nothing has ever had is refused by its name, where an empty list would say
//! that there is nothing of the sort. What this version knows may be asked for at any time; what only another version has written,
//! while it is on record. A process is no such value: each start is another one, and none is on record for ever.

use model::admin::{AdminTaskQuery, AuditQuery};
use sea_orm::ConnectionTrait;

use crate::{Caseload, Result, admin::guard::unknown, audit::words::is_known};

/// Refuses a search of tasks for what there never was.
pub(super) async fn tasks_can_be_asked_for(caseload: &Caseload, query: &AdminTaskQuery) -> Result<()> {
    if let Some(kind) = &query.kind
        && !is_kind(caseload, kind).await?
    {
        return Err(unknown("kind", kind, "kind of task").into());
    }
    if let Some(cause) = &query.cause
        && !queue::has_failed_of(caseload.db(), cause).await?
    {
        return Err(unknown("cause", cause, "cause of failures").into());
    }
    Ok(())
}

/// Whether this process knows the kind, another one does, somebody has paused it, or there is a task of it.
pub(crate) async fn is_kind(caseload: &Caseload, kind: &str) -> Result<bool> {
    if caseload.queue().kinds().any(|known| known == kind) {
        return Ok(true);
    }
    Ok(queue::has_seen(caseload.db(), kind).await?
        || caseload.queue().processes().await?.iter().any(|process| process.kinds.iter().any(|known| known == kind)))
}

/// Refuses a search of the audit trail for what is never done.
pub(super) async fn audit_can_be_asked_for(caseload: &Caseload, query: &AuditQuery) -> Result<()> {
    match query.action.as_deref() {
        Some(action) if !is_known(action) => {
            let sql = match action.ends_with('.') {
                // A dot is followed by a slash in the order of characters.
                true => "SELECT 1 FROM audit WHERE action >= $1 AND action < rtrim($1, '.') || '/' LIMIT 1",
                false => "SELECT 1 FROM audit WHERE action = $1 LIMIT 1",
            };
            match caseload.db().reader().query_one_raw(caseload.db().statement(sql, [action.into()])).await? {
                Some(_) => Ok(()),
                None => Err(unknown("action", action, "action").into()),
            }
        }
        _ => Ok(()),
    }
}
