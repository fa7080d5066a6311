//! `/api/1/session`: signing in and out for programs that keep cookies.

use axum::{
    Extension,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use tower_sessions::Session;

use super::input::Json;
use crate::{
    actor::Caller,
    problem::Answer,
    sign_in::{self, Source},
    state::AppState,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Credentials {
    username: String,
    password: String,
}

/// `POST`: 204 and a cookie.
pub async fn begin(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    source: Source,
    Json(given): Json<Credentials>,
) -> Answer<StatusCode> {
    sign_in::attempt(&state, &session, &source, &given.username, &given.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE`: 204.
pub async fn end(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    Caller(actor): Caller,
) -> Answer<Response> {
    let gone = sign_in::leave(&state, &session, Some(&actor)).await?;
    Ok((StatusCode::NO_CONTENT, gone).into_response())
}
