//! Signing in and out, by form and by API. Both doors end in [`attempt`], which counts failures; whether a password is
//! right is the caseload's to say.

use std::{
    net::{IpAddr, SocketAddr},
    time::Instant,
};

use axum::{
    Extension, Form,
    extract::{ConnectInfo, FromRequestParts, State},
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use caseload::Actor;
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;

use crate::{device, local, problem::Refusal, session, state::AppState};

/// Where the request came from.
pub struct Source {
    /// Absent where there is no network, as in tests.
    address: Option<IpAddr>,
    /// `Firefox on Linux`.
    pub device: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Source {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Source {
            address: parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip()),
            device: agent.and_then(device::name),
        })
    }
}

/// Signs somebody in and makes the session theirs.
pub async fn attempt(
    state: &AppState,
    session: &Session,
    source: &Source,
    username: &str,
    password: &str,
) -> Result<Actor, Refusal> {
    let attempt = state.throttle.attempt(username, source.address, Instant::now()).map_err(throttled)?;
    let from = source.address.map(|address| address.to_string()).unwrap_or_default();
    let actor = state.caseload.sign_in(username, password, &from).await?;
    state.throttle.succeeded(attempt);
    session::begin(session, &actor, source.device.as_deref()).await.map_err(unavailable)?;
    Ok(actor)
}

/// Ends the session, whoever's it is, and records who left.
pub async fn leave(state: &AppState, session: &Session, actor: Option<&Actor>) -> Result<Response, Refusal> {
    session.flush().await.map_err(unavailable)?;
    if let Some(actor) = actor {
        state.caseload.signed_out(actor).await?;
    }
    let tls = state.http.over_tls();
    let secure = if tls { "; Secure" } else { "" };
    // The session layer's own removal lacks `Secure`, without which browsers ignore it for a `__Host-` name.
    let gone = format!("{}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{secure}", session::cookie_name(tls));
    let cookie = HeaderValue::try_from(gone).map_err(unavailable)?;
    Ok(([(header::SET_COOKIE, cookie)], ()).into_response())
}

/// What is said to whoever has failed too often.
pub fn throttled(wait: std::time::Duration) -> Refusal {
    let seconds = wait.as_secs().max(1);
    let detail = format!("There were too many failed attempts. Please wait {seconds} seconds.");
    Refusal(Problem::new(429, "throttled", "Too many attempts", detail).with("retryAfter", seconds))
}

fn unavailable(error: impl std::fmt::Display) -> Refusal {
    tracing::error!(%error, "a session could not be written");
    Refusal(Problem::unavailable())
}

/// What the page `/login` sends.
#[derive(Deserialize)]
pub struct SignInForm {
    username: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// `POST /login`: to where one wanted to go, or back to the form with the reason.
pub async fn by_form(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    source: Source,
    Form(form): Form<SignInForm>,
) -> Response {
    let next = local::page(&form.next);
    let failed = match attempt(&state, &session, &source, &form.username, &form.password).await {
        Ok(_) => return Redirect::to(next.unwrap_or("/people")).into_response(),
        Err(Refusal(problem)) if problem.status == 429 => "throttled",
        Err(Refusal(problem)) if problem.status == 401 => "credentials",
        Err(Refusal(_)) => "unavailable",
    };
    let mut query = vec![("failed", failed), ("username", form.username.trim())];
    query.extend(next.map(|next| ("next", next)));
    Redirect::to(&local::with_query("/login", &query)).into_response()
}

/// `POST /logout`: to the sign-in page.
pub async fn out(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    actor: Option<Extension<Actor>>,
) -> Response {
    match leave(&state, &session, actor.as_deref()).await {
        Ok(gone) => (gone.headers().clone(), Redirect::to("/login")).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}
