//! What was done to a task by somebody, kept for those whose task it is.

use model::{AccountId, Instant, TaskId};
use queue::{Database, Task};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbErr,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use crate::{
    Actor, Result,
    binds::composed,
    erase::erased::{ERASED, Erased},
};

/// What was done to a task, when, by whom and why.
pub(crate) struct Verb {
    pub date: Instant,
    pub actor_id: AccountId,
    pub word: String,
    pub reason: Option<String>,
}

/// The words in `task_verb`.
pub(crate) const RETRY: &str = "RETRY";
pub(crate) const PUT_BACK: &str = "PUT_BACK";
pub(crate) const ABANDON: &str = "ABANDON";

/// Where a task stands, for the audit.
pub(crate) fn standing(task: &Task) -> serde_json::Value {
    json!({ "status": task.workflow_status, "attempt": task.attempt, "failures": task.failures })
}

/// Notes a verb on tasks, for those whose they are. `operation` is the entry in the audit that is of all of them.
pub(crate) async fn note(
    db: &Database,
    txn: &DatabaseTransaction,
    ids: &[TaskId],
    actor: &Actor,
    word: &str,
    reason: Option<&str>,
    operation: Option<i64>,
) -> Result<(), DbErr> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO task_verb (task_id, verb_date, actor_id, verb, reason, audit_id)
         SELECT id, {now}, $1, $2, $3, $4 FROM queued_task WHERE $5";
    let these = Expr::col("id").is_in(ids.iter().copied());
    let parts = [actor.person_id.into(), word.into(), reason.into(), operation.into(), these];
    txn.execute_raw(composed(db, sql, parts)).await.map(drop)
}

/// What was done to a task that it goes on after, first thing first; that it was given up says the task itself.
pub(crate) async fn of_task(db: &Database, id: TaskId) -> Result<Vec<Verb>, DbErr> {
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
            txn.execute_raw(db.statement(gone, [reason.into(), ERASED.into()])).await?;
        }
    }
    Ok(())
}
