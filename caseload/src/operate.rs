//! What operators do to the machinery: locks and kinds. Each leaves its trace in the audit.

use model::{Problem, Role, note::checked_note};
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::{
    Actor, Caseload, Result,
    audit::{self, Entry},
};

impl Caseload {
    /// Takes a scheduler lock from whoever holds it. False: nobody held it.
    pub async fn release_lock(&self, actor: &Actor, name: &str, reason: &str) -> Result<bool> {
        let reason = operating(actor, reason)?;
        let released = self.queue().locks(&actor.username).break_open(name).await?;
        if released {
            let txn = self.db().begin_write().await?;
            self.record_operation(&txn, actor, "lock.release", "lock", name, &reason).await?;
            self.db().commit(txn).await?;
        }
        Ok(released)
    }

    /// Keeps tasks of a kind from starting. False: they were kept already.
    pub async fn pause_kind(&self, actor: &Actor, kind: &str, reason: &str) -> Result<bool> {
        let reason = self.operating_kind(actor, kind, reason)?;
        let txn = self.db().begin_write().await?;
        let paused = self.queue().pause(&txn, kind, actor.person_id, Some(&reason)).await?;
        if paused {
            self.record_operation(&txn, actor, "kind.pause", "kind", kind, &reason).await?;
        }
        self.db().commit(txn).await?;
        Ok(paused)
    }

    /// Lets tasks of a kind start again. False: nothing kept them.
    pub async fn resume_kind(&self, actor: &Actor, kind: &str, reason: &str) -> Result<bool> {
        let reason = self.operating_kind(actor, kind, reason)?;
        let txn = self.db().begin_write().await?;
        let resumed = self.queue().resume(&txn, kind).await?;
        if resumed {
            self.record_operation(&txn, actor, "kind.resume", "kind", kind, &reason).await?;
        }
        self.db().commit(txn).await?;
        self.queue().wake();
        Ok(resumed)
    }

    fn operating_kind(&self, actor: &Actor, kind: &str, reason: &str) -> Result<String> {
        let reason = operating(actor, reason)?;
        match self.queue().kinds().any(|known| known == kind) {
            true => Ok(reason),
            false => Err(Problem::not_found("kind of task").into()),
        }
    }

    async fn record_operation(
        &self,
        txn: &DatabaseTransaction,
        actor: &Actor,
        action: &str,
        what: &str,
        name: &str,
        reason: &str,
    ) -> Result<()> {
        let entry = Entry {
            actor_id: Some(actor.person_id),
            action,
            object_kind: what,
            object_id: Some(name.to_owned()),
            detail: json!({ "reason": reason }),
        };
        Ok(audit::record(self.db(), txn, entry).await?)
    }
}

/// The reason of an administrator.
fn operating(actor: &Actor, reason: &str) -> Result<String> {
    if actor.role != Role::Administrator {
        return Err(Problem::forbidden("Only administrators may do this.").into());
    }
    let reason = checked_note("reason", Some(reason))?;
    reason.ok_or_else(|| Problem::field("reason", "required", "Say why.").into())
}
