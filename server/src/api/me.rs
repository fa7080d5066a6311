//! `GET /api/1/me`: who calls.

use axum::Json;
use model::Me;

use crate::api::openapi::answers::Always;
use crate::auth::actor::Caller;

/// Who calls.
#[utoipa::path(
    get,
    path = "/api/1/me",
    operation_id = "me",
    tag = "Session",
    responses((status = 200, description = "The caller.", body = Me), Always)
)]
pub async fn show(Caller(actor): Caller) -> Json<Me> {
    Json(actor.me())
}
