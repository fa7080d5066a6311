//! What administrators do to one task, and the trace that each verb leaves for the task's owner.

use model::{Conflict, Instant, Problem};
use queue::{Database, Task};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use serde_json::json;
use uuid::Uuid;

use super::reasoned;
use crate::{Actor, Caseload, Result, binds::Binds, erase::Erased, follow_up, notices, spec::Spec};

/// What was done to a task, when, by whom and why.
pub(crate) struct Verb {
    pub date: Instant,
    pub actor_id: Uuid,
    pub word: String,
    pub reason: Option<String>,
}

/// The words in `task_verb`.
pub(crate) const RETRY: &str = "RETRY";
pub(crate) const PUT_BACK: &str = "PUT_BACK";
pub(crate) const ABANDON: &str = "ABANDON";

impl Caseload {
    /// Lets any task that has failed go on, and one that waits to be tried again without the wait. Of one that went through
    /// with people who failed, those are treated again. Gives the task that goes on.
    pub async fn retry_any(&self, actor: &Actor, id: Uuid, reason: &str) -> Result<Uuid> {
        let reason = reasoned(actor, reason)?;
        let task = self.visible_task(actor, id).await?;
        if Spec::of(&task).is_some_and(|spec| follow_up::may_retry_people(&task, &spec)) {
            return Ok(self.retry(actor, id, Some(&reason)).await?.id);
        }
        let txn = self.db().begin_write().await?;
        let retried = self.queue().retry_all(&txn, &[id], actor.person_id).await?;
        let Some(now) = retried.first() else { return Err(queue::Error::Conflict(task.workflow_status).into()) };
        notices::forget_of(self.db(), &txn, &[id]).await?;
        note(self.db(), &txn, &[id], actor, RETRY, Some(&reason), None).await?;
        let (before, after) = (standing(&task), standing(now));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        self.record_verb(&txn, actor, "task.retry", id, detail).await?;
        self.db().commit(txn).await?;
        self.queue().announce(now);
        Ok(id)
    }

    /// Gives any task up for good.
    pub async fn abandon_any(&self, actor: &Actor, id: Uuid, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        self.abandon(actor, id, Some(&reason)).await
    }

    /// Puts a stalled task back into the queue at once, where any process that is up takes it.
    pub async fn put_back(&self, actor: &Actor, id: Uuid, reason: &str) -> Result<()> {
        let reason = reasoned(actor, reason)?;
        let task = self.visible_task(actor, id).await?;
        let txn = self.db().begin_write().await?;
        let Some(now) = self.queue().take_from_stalled(&txn, id, actor.person_id).await? else {
            let detail = "The task is not stalled any more: its process is well, or it has ended.";
            let problem = Problem::conflict(Conflict::NOT_STALLED, detail);
            return Err(problem.with("currentStatus", task.workflow_status.name()).into());
        };
        note(self.db(), &txn, &[id], actor, PUT_BACK, Some(&reason), None).await?;
        let (before, after) = (standing(&task), standing(&now));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        self.record_verb(&txn, actor, "task.put-back", id, detail).await?;
        self.db().commit(txn).await?;
        self.queue().announce(&now);
        Ok(())
    }

    /// What a task was asked to do, with all that pages hide; whoever looks at it is in the audit.
    pub async fn whole_request(&self, actor: &Actor, id: Uuid, reason: &str) -> Result<Option<String>> {
        let reason = reasoned(actor, reason)?;
        let task = self.visible_task(actor, id).await?;
        let txn = self.db().begin_write().await?;
        self.record_verb(&txn, actor, "task.disclose", id, json!({ "reason": reason })).await?;
        self.db().commit(txn).await?;
        Ok(task.execution_spec)
    }
}

/// Where a task stands, for the audit.
pub(crate) fn standing(task: &Task) -> serde_json::Value {
    json!({ "status": task.workflow_status, "attempt": task.attempt, "failures": task.failures })
}

/// Notes a verb on tasks, for those whose they are. `operation` is the entry in the audit that is of all of them.
pub(crate) async fn note(
    db: &Database,
    txn: &DatabaseTransaction,
    ids: &[Uuid],
    actor: &Actor,
    word: &str,
    reason: Option<&str>,
    operation: Option<i64>,
) -> Result<(), DbErr> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut binds = Binds::default();
    let given = [binds.add(actor.person_id), binds.add(word), binds.add(reason), binds.add(operation)].join(", ");
    let sql = format!(
        "INSERT INTO task_verb (task_id, verb_date, actor_id, verb, reason, audit_id)
         SELECT id, {{now}}, {given} FROM queued_task WHERE id IN ({})",
        binds.list(ids.iter().copied())
    );
    txn.execute_raw(db.statement(&sql, binds.values())).await.map(drop)
}

/// What was done to a task that it goes on after, first thing first; that it was given up says the task itself.
pub(crate) async fn of_task(db: &Database, id: Uuid) -> Result<Vec<Verb>, DbErr> {
    let sql = "SELECT verb_date, actor_id, verb, reason FROM task_verb
        WHERE task_id = $1 AND verb <> 'ABANDON' ORDER BY verb_date";
    let rows = db.reader().query_all_raw(db.statement(sql, [id.into()])).await?;
    let read = |row: &sea_orm::QueryResult| -> Result<Verb, DbErr> {
        Ok(Verb {
            date: row.try_get("", "verb_date")?,
            actor_id: row.try_get("", "actor_id")?,
            word: row.try_get("", "verb")?,
            reason: row.try_get("", "reason")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Takes reasons that name somebody who is erased off the tasks.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<(), DbErr> {
    let sql = "SELECT DISTINCT reason FROM task_verb WHERE reason IS NOT NULL";
    for row in txn.query_all_raw(db.statement(sql, [])).await? {
        let reason: String = row.try_get("", "reason")?;
        if erased.is_named_in(&reason) {
            let gone = "UPDATE task_verb SET reason = $2 WHERE reason = $1";
            txn.execute_raw(db.statement(gone, [reason.into(), crate::erase::ERASED.into()])).await?;
        }
    }
    Ok(())
}
