//! What was done to a task by somebody, kept for those whose task it is.

use model::{AccountId, Instant, Problem, TaskId, note::Reason};
use queue::{Database, Task, TaskTable, Transaction};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, sea_query::ExprTrait};
use serde_json::json;

use crate::{
    Actor, Caseload, Result,
    caseload::Tasks,
    entity::tasks::task_verb::{Column, Entity, Model},
    erase::erased::{ERASED, Erased, forget_texts},
    statement::composed,
    tasks::visible,
};

/// What was done to a task, when, by whom and why.
pub(crate) struct Verb {
    pub date: Instant,
    pub actor_id: AccountId,
    pub word: String,
    pub reason: Option<String>,
}

/// The words in `task_verb`.
pub(crate) const APPROVE: &str = "APPROVE";
pub(crate) const RETRY: &str = "RETRY";
pub(crate) const PUT_BACK: &str = "PUT_BACK";
pub(crate) const MOVE_START: &str = "MOVE_START";
pub(crate) const SEND_NOW: &str = "SEND_NOW";
pub(crate) const HAND_OVER: &str = "HAND_OVER";
pub(crate) const ABANDON: &str = "ABANDON";

/// Where a task stands, for the audit.
pub(crate) fn state_for_audit(task: &Task) -> serde_json::Value {
    json!({ "status": task.workflow_status, "attempt": task.attempt, "failures": task.failures })
}

/// Whoever acts on somebody else's task says why.
pub(crate) fn insist(actor: &Actor, task: &Task, reason: Option<&Reason>) -> Result<()> {
    if reason.is_none() && task.owner_id != actor.person_id {
        return Err(Problem::field("reason", "required", "Enter a reason: this is somebody else’s task.").into());
    }
    Ok(())
}

impl Tasks<'_> {
    /// Gives a task up for good; what it has done stays done.
    pub async fn abandon(self, actor: &Actor, id: TaskId, reason: Option<&str>) -> Result<()> {
        let before = visible::owned_task(self.0, actor, id).await?;
        let reason = Reason::read(reason)?;
        insist(actor, &before, reason.as_ref())?;
        let txn = self.0.db().begin_write().await?;
        let task = self.0.queue().abandon(&txn, id, actor.person_id, reason.as_ref().map(Reason::as_str)).await?;
        let (before, after) = (state_for_audit(&before), state_for_audit(&task));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        visible::record_verb(self.0, &txn, actor, "task.abandon", id, detail).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().notify_given_up(std::slice::from_ref(&task));
        tracing::info!(task = %id, by = %actor.person_id, "task given up");
        Ok(())
    }
}

/// Notes a verb on tasks, for those whose they are. `operation` is the entry in the audit that is of all of them.
pub(crate) async fn note(
    db: &Database,
    txn: &Transaction,
    ids: &[TaskId],
    actor: &Actor,
    word: &str,
    reason: Option<&Reason>,
    operation: Option<i64>,
) -> Result<(), DbErr> {
    note_text(db, txn, ids, actor, word, reason.map(Reason::as_str), operation).await
}

/// The same with a text that goes by another name.
pub(crate) async fn note_text(
    db: &Database,
    txn: &Transaction,
    ids: &[TaskId],
    actor: &Actor,
    word: &str,
    text: Option<&str>,
    operation: Option<i64>,
) -> Result<(), DbErr> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO task_verb (task_id, verb_date, actor_id, verb, reason, audit_id)
         SELECT $1, $2, $3, $4, $5, $6 FROM $7 WHERE $8";
    let t = TaskTable("t");
    let (actor, reason) = (actor.person_id.into(), text.into());
    let these = t.id().is_in(ids.iter().copied());
    let parts = [t.id(), db.instant(), actor, word.into(), reason, operation.into(), t.table(), these];
    txn.execute_raw(composed(db, sql, parts)).await.map(drop)
}

/// What was done to a task that it goes on after, first thing first; that it was given up says the task itself.
pub(crate) async fn of_task(db: &Database, id: TaskId) -> Result<Vec<Verb>, DbErr> {
    let verbs = Entity::find()
        .filter(Column::TaskId.eq(id))
        .filter(Column::Verb.ne(ABANDON))
        .order_by_asc(Column::VerbDate)
        .all(db.reader());
    let read =
        |verb: Model| Verb { date: verb.verb_date, actor_id: verb.actor_id, word: verb.verb, reason: verb.reason };
    Ok(verbs.await?.into_iter().map(read).collect())
}

/// Takes reasons that name somebody who is erased off the tasks.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<(), DbErr> {
    forget_texts::<Entity>(db, txn, erased, Column::Reason, Some(ERASED)).await
}

/// What was done to a task, with the names of those who did.
pub(crate) async fn with_names(caseload: &Caseload, id: TaskId) -> Result<Vec<(Verb, String)>> {
    let mut done = Vec::new();
    for verb in of_task(caseload.db(), id).await? {
        let name = caseload.staff_name(verb.actor_id).await?;
        done.push((verb, name));
    }
    Ok(done)
}
