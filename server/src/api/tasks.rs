//! `/api/1/tasks`: the list, one task, and what can be done with it.

use axum::{Json as Reply, extract::State, http::StatusCode};
use caseload::Caseload;
use model::{Page, Problem, TaskDetail, TaskQuery, TaskRow, TaskState, WorkflowStatus, filter, task::TaskScope};
use serde::Deserialize;

use super::input::{Json, Pairs, TaskId, unknown};
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

/// `POST …/retry`: 202, or 409 with the current status.
pub async fn retry(State(caseload): State<Caseload>, Caller(actor): Caller, TaskId(id): TaskId) -> Answer<StatusCode> {
    caseload.retry(&actor, id).await?;
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
