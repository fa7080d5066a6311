//! `/api/1/admin/kinds` and `/api/1/admin/locks`: what administrators do to the machinery, each with a reason.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use caseload::Caseload;
use model::Problem;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    input::Json,
    openapi::answers::{Always, Refused, WithBody},
};
use crate::{actor::Caller, problem::Answer};

/// Why it is done.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    #[schema(max_length = 500)]
    reason: String,
}

/// Keeps tasks of a kind from starting.
#[utoipa::path(
    post,
    path = "/api/1/admin/kinds/{kind}/pause",
    operation_id = "pauseKind",
    tag = "Administration",
    params(("kind" = String, Path, description = "The kind, such as `export`.")),
    request_body = Operation,
    responses((status = 204, description = "Paused."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn pause(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let paused = caseload.pause_kind(&actor, &kind, &given.reason).await?;
    done(paused, "already_paused", "Tasks of this kind are paused already.")
}

/// Lets tasks of a kind start again.
#[utoipa::path(
    post,
    path = "/api/1/admin/kinds/{kind}/resume",
    operation_id = "resumeKind",
    tag = "Administration",
    params(("kind" = String, Path, description = "The kind, such as `export`.")),
    request_body = Operation,
    responses((status = 204, description = "They start again."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn resume(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let resumed = caseload.resume_kind(&actor, &kind, &given.reason).await?;
    done(resumed, "not_paused", "Tasks of this kind are not paused.")
}

/// Takes a lock from whoever holds it.
#[utoipa::path(
    post,
    path = "/api/1/admin/locks/{name}/release",
    operation_id = "releaseLock",
    tag = "Administration",
    params(("name" = String, Path, description = "The lock.")),
    request_body = Operation,
    responses((status = 204, description = "Released."), Always, WithBody, Refused<409>)
)]
pub async fn release(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let released = caseload.release_lock(&actor, &name, &given.reason).await?;
    done(released, "not_held", "Nobody holds this lock.")
}

fn done(done: bool, code: &str, otherwise: &str) -> Answer<StatusCode> {
    if done { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::conflict(code, otherwise).into()) }
}
