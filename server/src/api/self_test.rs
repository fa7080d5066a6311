//! `POST /api/1/admin/self-test`: tasks that exercise the queue and nothing else, where a setting allows them.

use axum::{Json as Reply, extract::State, http::StatusCode};
use caseload::{Caseload, SelfTestRequest};
use model::Submitted;

use super::input::Json;
use crate::{actor::Caller, problem::Answer};

pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(request): Json<SelfTestRequest>,
) -> Answer<(StatusCode, Reply<Vec<Submitted>>)> {
    Ok((StatusCode::ACCEPTED, Reply(caseload.self_test(&actor, request).await?)))
}
