//! `/api/1/admin/kinds` and `/api/1/admin/locks`: what administrators do to the machinery, each with a reason.

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use caseload::Caseload;
use model::Problem;
use serde::Deserialize;

use super::input::Json;
use crate::{actor::Caller, problem::Answer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    reason: String,
}

/// `POST …/kinds/{kind}/pause`: 204, or 409 when it is paused already.
pub async fn pause(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let paused = caseload.pause_kind(&actor, &kind, &given.reason).await?;
    done(paused, "already_paused", "Tasks of this kind are paused already.")
}

/// `POST …/kinds/{kind}/resume`: 204, or 409 when it is not paused.
pub async fn resume(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let resumed = caseload.resume_kind(&actor, &kind, &given.reason).await?;
    done(resumed, "not_paused", "Tasks of this kind are not paused.")
}

/// `POST …/locks/{name}/release`: 204, or 409 when nobody holds it.
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
