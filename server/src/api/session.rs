//! `/api/1/session`: signing in and out for programs that keep cookies.

use axum::{
    Extension,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use caseload::second_factor;
use serde::Deserialize;
use tower_sessions::Session;
use utoipa::ToSchema;

use crate::{
    api::input::Body, api::input::Json, api::input::MaySend, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{
    auth::actor::Caller,
    auth::second_factor::by_code,
    auth::sign_in::{self, Attempted, Visitor},
    state::AppState,
    web::problem::{Answer, ProblemAnswer},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Credentials {
    username: String,
    password: String,
    /// Of an account with a second factor: what its authenticator app shows, or a recovery code.
    #[serde(default)]
    code: Option<String>,
}

impl Body for Credentials {
    const BY: MaySend = MaySend::Anybody;
}

/// Signs in.
///
/// The answer sets the cookie of the session, and one by which this client is told from strangers who guess passwords: keep both. An account with
/// a second factor takes a code as well, without which the code of the refusal is `second_factor_required`.
#[utoipa::path(
    post,
    path = "/api/1/session",
    operation_id = "signIn",
    tag = "Session",
    security(()),
    request_body = Credentials,
    responses(
        (status = 204, description = "Signed in.", headers(("Set-Cookie" = String, description = "The session, and that somebody has signed in here."))),
        Always, WithBody, Refused<429>
    )
)]
pub async fn begin(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    Json(given): Json<Credentials>,
) -> Answer<Response> {
    let attempted = sign_in::attempt(&state, &session, &visitor, &given.username, &given.password).await?;
    let remembered = match (attempted, &given.code) {
        (Attempted::In(remembered), _) => remembered,
        (Attempted::Asked(half), Some(code)) => {
            by_code::come_in(&state, &session, &visitor, &half, (code, false)).await?
        }
        (Attempted::Asked(_), None) => return Err(ProblemAnswer(second_factor::required())),
    };
    Ok((StatusCode::NO_CONTENT, remembered).into_response())
}

/// Signs out.
#[utoipa::path(
    delete,
    path = "/api/1/session",
    operation_id = "signOut",
    tag = "Session",
    responses((status = 204, description = "Signed out."), Always, Refused<403>)
)]
pub async fn end(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    Caller(actor): Caller,
) -> Answer<Response> {
    let gone = sign_in::leave(&state, &session, Some(&actor)).await?;
    Ok((StatusCode::NO_CONTENT, gone).into_response())
}
