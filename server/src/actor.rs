//! Who calls, found once for each request, and the rule that without anybody nothing is answered.
//!
//! Deny by default: a new route is closed until it is named in [`OPEN`].

use axum::{
    Extension,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, Method, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use caseload::{Actor, Caseload};
use model::Problem;
use tower_sessions::Session;

use crate::{local, problem::Refusal, session, state::AppState};

/// What is answered to anybody. A trailing `/` stands for everything below.
pub const OPEN: &[(Method, &str)] = &[
    (Method::GET, "/login"),
    (Method::POST, "/login"),
    (Method::GET, "/setup"),
    (Method::POST, "/setup"),
    (Method::POST, "/logout"),
    (Method::POST, "/api/1/session"),
    (Method::GET, "/healthz"),
    (Method::GET, "/readyz"),
    (Method::GET, "/pkg/"),
    (Method::GET, "/favicon.ico"),
];

/// Whether anybody may call this.
pub fn is_open(method: &Method, path: &str) -> bool {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    OPEN.iter().any(|(open, at)| open == method && (path == *at || at.ends_with('/') && path.starts_with(at)))
}

/// Whether the request needs nobody to be found at all, so that assets and probes touch no table.
fn is_static(path: &str) -> bool {
    ["/pkg/", "/favicon.ico", "/healthz", "/readyz"].iter().any(|open| path.starts_with(open))
}

/// Puts the [`Actor`] into the request, or sends it away.
pub async fn identify(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if is_static(path) {
        return next.run(request).await;
    }
    match find(&state.caseload, &session, request.headers()).await {
        Ok(Some(actor)) => {
            request.extensions_mut().insert(actor);
            next.run(request).await
        }
        Ok(None) if is_open(request.method(), path) => next.run(request).await,
        Ok(None) if wants_page(&request) => sign_in_page(&request, state.http.over_tls()),
        Ok(None) => Refusal(Problem::signed_out()).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// A bearer token decides alone: who sends one means it, whatever cookie the client keeps as well.
async fn find(caseload: &Caseload, session: &Session, headers: &HeaderMap) -> Result<Option<Actor>, Refusal> {
    if headers.contains_key(header::AUTHORIZATION) {
        return match bearer(headers) {
            Some(token) => Ok(caseload.actor_of_token(token).await?),
            None => Ok(None),
        };
    }
    match session::who(session).await {
        Ok(Some(who)) => Ok(caseload.actor_of_session(who.person_id, who.session_version).await?),
        Ok(None) => Ok(None),
        Err(error) => {
            tracing::error!(%error, "a session could not be read");
            Err(Refusal(Problem::unavailable()))
        }
    }
}

/// The token of a request, if it comes with one.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether a person at a browser waits for a page, having followed a link or sent a form, rather than a program or a script.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    let html = |accept: &HeaderValue| accept.to_str().is_ok_and(|accept| accept.contains("text/html"));
    path != "/events"
        && (!path.starts_with("/api/") || path.starts_with("/api/page/") || path == "/api/1/docs")
        && request.headers().get_all(header::ACCEPT).iter().any(html)
}

/// To the sign-in page, and from there back to where this request came from.
fn sign_in_page(request: &Request, over_tls: bool) -> Response {
    let headers = request.headers();
    let referrer = headers.get(header::REFERER).and_then(|from| from.to_str().ok()?.parse::<Uri>().ok());
    let page = if request.method().is_safe() { Some(request.uri()) } else { referrer.as_ref() };
    let next = page.and_then(|page| local::page(page.path_and_query()?.as_str()));
    let cookie = format!("{}=", session::cookie_name(over_tls));
    let ended =
        headers.get_all(header::COOKIE).iter().any(|sent| sent.to_str().is_ok_and(|sent| sent.contains(&cookie)));
    let mut query = Vec::new();
    query.extend(ended.then_some(("failed", "ended")));
    query.extend(next.map(|next| ("next", next)));
    Redirect::to(&local::with_query("/login", &query)).into_response()
}

/// The caller at a browser: what a token could do, a program must not be able to outlive it.
pub struct InPerson(pub Actor);

impl<S: Sync> FromRequestParts<S> for InPerson {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        if parts.headers.contains_key(header::AUTHORIZATION) {
            let detail = "A token is not enough for this. Sign in with your password.";
            return Err(Refusal(Problem::forbidden(detail)));
        }
        Caller::from_request_parts(parts, state).await.map(|Caller(actor)| InPerson(actor))
    }
}

/// The caller, for handlers behind [`identify`].
pub struct Caller(pub Actor);

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        parts.extensions.get::<Actor>().cloned().map(Caller).ok_or_else(|| Refusal(Problem::signed_out()))
    }
}
