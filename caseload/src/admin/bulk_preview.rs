//! What the check of a verb on many tasks saw, kept under a token: the operation that follows reaches these and no others,
//! however the filter would be answered by then.

use std::collections::BTreeMap;

use model::{
    OperationToken, Problem, TaskId, WorkflowStatus,
    admin::{AdminTaskQuery, BulkVerb},
};
use queue::{Database, TaskVersion};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Actor, Caseload, Result};

/// From the check, in seconds.
const KEPT: f64 = 1_800.0;

/// What is kept.
pub(super) struct KeptTasks {
    /// What narrowed the tasks, as an address says it; empty for all there are.
    pub filter: BTreeMap<String, String>,
    pub tasks: Vec<TaskVersion>,
}

/// Keeps what somebody sees now, and lets go of what is too old, and of the oldest beyond those that one account may keep.
pub(super) async fn keep(
    caseload: &Caseload,
    actor: &Actor,
    verb: BulkVerb,
    query: &AdminTaskQuery,
    tasks: &[TaskVersion],
) -> Result<OperationToken> {
    let (db, token) = (caseload.db(), queue::secret_id::<OperationToken>());
    let filter: BTreeMap<&str, String> = match query.is_everything() {
        true => BTreeMap::new(),
        false => query.pairs().into_iter().collect(),
    };
    let tasks: Vec<(TaskId, i32, WorkflowStatus)> =
        tasks.iter().map(|stand| (stand.id, stand.attempt, stand.status)).collect();
    let txn = db.begin_write().await?;
    let old = "DELETE FROM bulk_preview WHERE created_date < {after:-$1}";
    txn.execute_raw(db.statement(old, [KEPT.into()])).await?;
    let sql =
        "INSERT INTO bulk_preview (id, actor_id, created_date, verb, filter, tasks) VALUES ($1, $2, {now}, $3, $4, $5)";
    let texts = [serde_json::to_string(&filter), serde_json::to_string(&tasks)];
    let [filter, tasks] = texts.map(|text| text.map_err(|error| DbErr::Json(error.to_string())));
    let values = [token.into(), actor.person_id.into(), verb.name().into(), filter?.into(), tasks?.into()];
    txn.execute_raw(db.statement(sql, values)).await?;
    let more = "DELETE FROM bulk_preview WHERE id IN (
        SELECT id FROM bulk_preview WHERE actor_id = $1 ORDER BY created_date DESC, id DESC LIMIT $2 OFFSET $3)";
    let whose = [actor.person_id.into(), i64::MAX.into(), i64::from(caseload.limits().previews).into()];
    txn.execute_raw(db.statement(more, whose)).await?;
    db.commit(txn).await?;
    Ok(token)
}

/// What somebody saw for this verb.
pub(super) async fn find(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    verb: BulkVerb,
    token: OperationToken,
) -> Result<KeptTasks> {
    let sql = "SELECT filter, tasks FROM bulk_preview
        WHERE id = $1 AND actor_id = $2 AND verb = $3 AND created_date >= {after:-$4}";
    let values = [token.into(), actor.person_id.into(), verb.name().into(), KEPT.into()];
    let gone = || Problem::field("previewToken", "unknown", "This check is too old. Please look again.");
    let row = connection.query_one_raw(db.statement(sql, values)).await?.ok_or_else(gone)?;
    let tasks: Vec<(TaskId, i32, WorkflowStatus)> =
        serde_json::from_str(&row.try_get::<String>("", "tasks")?).unwrap_or_default();
    Ok(KeptTasks {
        filter: serde_json::from_str(&row.try_get::<String>("", "filter")?).unwrap_or_default(),
        tasks: tasks.into_iter().map(|(id, attempt, status)| TaskVersion { id, attempt, status }).collect(),
    })
}
