//! What administrators do to one task, and the trace that each verb leaves for the task's owner.

use model::{Conflict, Problem, TaskId};
use serde_json::json;

use crate::{
    Actor, Result,
    admin::guard::reasoned,
    caseload::Admin,
    notices,
    submit::{follow_up, spec::Spec},
    tasks::{
        done_to_task::{PUT_BACK, RETRY, note, state_for_audit},
        visible,
    },
};

impl Admin<'_> {
    /// Lets any task that has failed go on, and one that waits to be tried again without the wait. Of one that went through
    /// with people who failed, those are treated again. Gives the task that goes on.
    pub async fn retry_any(self, actor: &Actor, id: TaskId, reason: &str) -> Result<TaskId> {
        let reason = reasoned(actor, reason)?;
        let task = visible::visible_task(self.0, actor, id).await?;
        if Spec::of(&task).is_some_and(|spec| follow_up::may_retry_people(&task, &spec)) {
            return Ok(self.0.tasks().retry(actor, id, Some(reason.as_str())).await?.id);
        }
        let txn = self.0.db().begin_write().await?;
        let retried = self.0.queue().retry_all(&txn, &[id], actor.person_id).await?;
        let Some(now) = retried.first() else { return Err(queue::Error::Conflict(task.workflow_status).into()) };
        notices::forget_of(self.0.db(), &txn, &[id]).await?;
        note(self.0.db(), &txn, &[id], actor, RETRY, Some(&reason), None).await?;
        let (before, after) = (state_for_audit(&task), state_for_audit(now));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        visible::record_verb(self.0, &txn, actor, "task.retry", id, detail).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(now);
        Ok(id)
    }

    /// Gives any task up for good.
    pub async fn abandon_any(self, actor: &Actor, id: TaskId, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        self.0.tasks().abandon(actor, id, Some(reason.as_str())).await
    }

    /// Puts a stalled task back into the queue at once, where any process that is up takes it.
    pub async fn put_back(self, actor: &Actor, id: TaskId, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        let task = visible::visible_task(self.0, actor, id).await?;
        let txn = self.0.db().begin_write().await?;
        let Some(now) = self.0.queue().take_from_stalled(&txn, id, actor.person_id).await? else {
            let detail = "The task is no longer stalled: its process is working, or the task has ended.";
            let problem = Problem::conflict(Conflict::NOT_STALLED, detail);
            return Err(problem.with("currentStatus", task.workflow_status.name()).into());
        };
        note(self.0.db(), &txn, &[id], actor, PUT_BACK, Some(&reason), None).await?;
        let (before, after) = (state_for_audit(&task), state_for_audit(&now));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        visible::record_verb(self.0, &txn, actor, "task.put-back", id, detail).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&now);
        Ok(())
    }

    /// What a task was asked to do, with all that pages hide; whoever looks at it is in the audit.
    pub async fn whole_request(self, actor: &Actor, id: TaskId, reason: &str) -> Result<Option<String>> {
        let reason = reasoned(actor, reason)?;
        let task = visible::visible_task(self.0, actor, id).await?;
        let txn = self.0.db().begin_write().await?;
        visible::record_verb(self.0, &txn, actor, "task.disclose", id, json!({ "reason": reason })).await?;
        self.0.db().commit(txn).await?;
        Ok(task.execution_spec)
    }
}
