//! `/api/1/tasks`: the list, one task, and what can be done with it.

use axum::{Json as Reply, extract::State, http::StatusCode, response::Response};
use caseload::Caseload;
use model::{
    Instant, Page, Preview, Problem, TaskDetail, TaskQuery, TaskRow, TaskState, WorkflowStatus, filter, task::TaskScope,
};
use serde::Deserialize;

use super::{
    input::{IdempotencyKey, Json, Pairs, TaskId, unknown},
    submission::{Common, accepted, confirmed},
};
use crate::{actor::Caller, problem::Answer};

/// `GET /api/1/tasks`.
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Page<TaskRow>>> {
    Ok(Reply(caseload.tasks(&actor, &query(&pairs)?).await?))
}

/// `GET /api/1/tasks/{id}`.
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
) -> Answer<Reply<TaskDetail>> {
    Ok(Reply(caseload.task(&actor, id).await?))
}

/// `POST …/retry`: 202 and the task that goes on, which is another one when only the failed are treated again; or 409 with
/// the current status.
pub async fn retry(State(caseload): State<Caseload>, Caller(actor): Caller, TaskId(id): TaskId) -> Answer<Response> {
    Ok(accepted(caseload.retry(&actor, id).await?))
}

/// `POST …/undo`: 202 and the task that puts back what this one changed, or 409 with the current status.
pub async fn undo(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    key: IdempotencyKey,
    Json(common): Json<Common>,
) -> Answer<Response> {
    if common.target.is_some() {
        return Err(unknown("target").into());
    }
    Ok(accepted(caseload.undo(&actor, id, confirmed(common, key)?).await?))
}

/// `POST …/undo/preview`: what that would do.
pub async fn preview_undo(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
) -> Answer<Reply<Preview>> {
    Ok(Reply(caseload.preview_undo(&actor, id).await?))
}

/// When a task is to start.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    trigger_date: Instant,
}

/// `POST …/reschedule`: 202, or 409 with the current status when it has begun.
pub async fn reschedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    Json(start): Json<Start>,
) -> Answer<StatusCode> {
    caseload.reschedule(&actor, id, start.trigger_date).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Why a task is given up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Abandon {
    reason: Option<String>,
}

/// `POST …/abandon`: 202, or 409 with the current status.
pub async fn abandon(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    Json(given): Json<Abandon>,
) -> Answer<StatusCode> {
    caseload.abandon(&actor, id, given.reason.as_deref()).await?;
    Ok(StatusCode::ACCEPTED)
}

/// `status` takes the stored states, `state` those that people see.
fn query(pairs: &Pairs) -> Result<TaskQuery, Problem> {
    let mut query = TaskQuery::default();
    for (key, value) in pairs.iter() {
        match key {
            "status" => query.states.extend(shown_as(filter::parse(key, value)?)),
            "state" => query.states.push(filter::parse(key, value)?),
            "kind" => query.kind = Some(value.to_owned()),
            "scope" => query.scope = scope(value)?,
            "limit" => query.limit = Some(filter::limit(value)?),
            "after" => query.after = Some(value.to_owned()),
            other => return Err(unknown(other)),
        }
    }
    query.states.sort();
    query.states.dedup();
    Ok(query)
}

fn scope(value: &str) -> Result<TaskScope, Problem> {
    match value {
        "mine" => Ok(TaskScope::Mine),
        "all" => Ok(TaskScope::All),
        _ => Err(Problem::field("scope", "invalid", "Choose mine or all.")),
    }
}

/// The states under which a stored one is seen.
fn shown_as(status: WorkflowStatus) -> &'static [TaskState] {
    use TaskState::*;
    match status {
        WorkflowStatus::Queued => &[Scheduled, Waiting, Retrying],
        WorkflowStatus::Scheduling | WorkflowStatus::Executing => &[Running],
        WorkflowStatus::Completed => &[Done, DoneWithProblems],
        WorkflowStatus::Failure => &[Failed],
        WorkflowStatus::Error => &[CouldNotStart],
        WorkflowStatus::Abandoned => &[Cancelled, Abandoned],
    }
}
