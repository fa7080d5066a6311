//! What the check of a verb on many tasks saw, kept under a token: the operation that follows reaches these and no others,
//! however the filter would be answered by then.

use std::collections::BTreeMap;

use model::{
    OperationToken, Problem, TaskId, WorkflowStatus,
    admin::{AdminTaskQuery, BulkVerb},
};
use queue::{Database, TaskVersion, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Caseload, Result,
    entity::tasks::bulk_preview::{Column, Entity},
};

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
    let old = Entity::delete_many().filter(Expr::col(Column::CreatedDate).lt(db.instant_after(-KEPT)));
    txn.execute_raw(db.build(&old.into_query())).await?;
    let texts = [serde_json::to_string(&filter), serde_json::to_string(&tasks)];
    let [filter, tasks] = texts.map(|text| text.map_err(|error| DbErr::Json(error.to_string())));
    let row = [
        (Column::Id, token.into()),
        (Column::ActorId, actor.person_id.into()),
        (Column::CreatedDate, db.instant()),
        (Column::Verb, verb.into()),
        (Column::Filter, filter?.into()),
        (Column::Tasks, tasks?.into()),
    ];
    txn.execute_raw(db.build(&row_of(Entity, row))).await?;
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
    let seen = Entity::find_by_id(token)
        .filter(Column::ActorId.eq(actor.person_id))
        .filter(Column::Verb.eq(verb))
        .filter(Expr::col(Column::CreatedDate).gte(db.instant_after(-KEPT)));
    let gone = || Problem::field("previewToken", "unknown", "This check is more than 30 minutes old. Check again.");
    let seen = seen.one(connection).await?.ok_or_else(gone)?;
    let tasks: Vec<(TaskId, i32, WorkflowStatus)> = serde_json::from_str(&seen.tasks).unwrap_or_default();
    Ok(KeptTasks {
        filter: serde_json::from_str(&seen.filter).unwrap_or_default(),
        tasks: tasks.into_iter().map(|(id, attempt, status)| TaskVersion { id, attempt, status }).collect(),
    })
}
