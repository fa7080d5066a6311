//! `GET /api/1/me`: who calls.

use axum::Json;
use model::Me;

use crate::actor::Caller;

pub async fn show(Caller(actor): Caller) -> Json<Me> {
    Json(actor.me())
}
