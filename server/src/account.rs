//! The forms of `/settings`: they change who is signed in how, so they need the session itself.

use std::time::Instant;

use app::{
    pages::admin::users::Fresh,
    refusal::Refusal as FormRefusal,
    server::{FreshPassword, FreshToken},
};
use axum::{
    Extension, Form,
    extract::{Path, Request, State},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use caseload::{Actor, Caseload, preferences::Chosen};
use leptos::server_fn::error::ServerFnUrlError;
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;
use uuid::Uuid;

use crate::{actor::InPerson, local, problem::Refusal, session, sign_in::throttled, state::AppState};

/// Where the page is.
const SETTINGS: &str = "/settings";
/// The key of a token in the session, until it is shown.
const FRESH: &str = "fresh_token";

/// Another password.
#[derive(Deserialize)]
pub struct Passwords {
    current: String,
    password: String,
}

/// `POST /settings/password`: the other sessions end, and this one goes on. Guessing is slowed down as it is at the sign-in.
pub async fn change_password(
    State(state): State<AppState>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Form(given): Form<Passwords>,
) -> Response {
    let attempt = match state.throttle.attempt(&actor.username, None, Instant::now()) {
        Ok(attempt) => attempt,
        Err(wait) => return back(SETTINGS, throttled(wait).0),
    };
    match state.caseload.change_password(&actor, &given.current, &given.password).await {
        Ok(session_version) => {
            state.throttle.succeeded(attempt);
            go_on(&session, Actor { session_version, ..actor }, "password").await
        }
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// `POST /settings/sessions/end`: every other session ends.
pub async fn end_sessions(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
) -> Response {
    match caseload.end_sessions(&actor).await {
        Ok(session_version) => go_on(&session, Actor { session_version, ..actor }, "sessions").await,
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// Goes on in this session, which is the only one that has not ended.
async fn go_on(session: &Session, actor: Actor, done: &str) -> Response {
    match session::begin(session, &actor, None).await {
        Ok(()) => Redirect::to(&local::with_query(SETTINGS, &[("done", done)])).into_response(),
        Err(_) => Redirect::to("/login").into_response(),
    }
}

/// How somebody likes Docket; a box that is not ticked is not sent.
#[derive(Deserialize)]
pub struct Preferences {
    theme: String,
    #[serde(default)]
    time_zone: String,
    shortcuts: Option<String>,
    live: Option<String>,
    notify: Option<String>,
    address: Option<String>,
}

/// `POST /settings/preferences`.
pub async fn prefer(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Form(given): Form<Preferences>,
) -> Response {
    let chosen = Chosen {
        theme: &given.theme,
        time_zone: &given.time_zone,
        shortcuts: given.shortcuts.is_some(),
        live: given.live.is_some(),
        notify: given.notify.is_some(),
        address: given.address.as_deref(),
    };
    match caseload.set_preferences(&actor, chosen).await {
        Ok(()) => Redirect::to("/settings?done=preferences").into_response(),
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// A token to be.
#[derive(Deserialize)]
pub struct NewToken {
    name: String,
}

/// `POST /settings/tokens`: makes a token, which the page shows once.
pub async fn issue_token(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Form(given): Form<NewToken>,
) -> Response {
    match caseload.issue_own_token(&actor, &given.name).await {
        Ok(token) => match session.insert(FRESH, token).await {
            Ok(()) => Redirect::to(SETTINGS).into_response(),
            Err(error) => {
                tracing::error!(%error, "a session could not be written");
                Refusal(Problem::unavailable()).into_response()
            }
        },
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// `POST /settings/tokens/{id}/revoke`.
pub async fn revoke_token(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
) -> Response {
    let id: Result<Uuid, Problem> = id.parse().map_err(|_| Problem::not_found("token"));
    let revoked = match id {
        Ok(id) => caseload.revoke_own_token(&actor, id).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match revoked {
        Ok(()) => Redirect::to("/settings?done=revoked").into_response(),
        Err(problem) => back(SETTINGS, problem),
    }
}

/// The key of a password in the session, until it is shown: whose it is, and what.
pub const FRESH_PASSWORD: &str = "fresh_password";

/// Takes a fresh token or password out of the session for the one page that shows it.
pub async fn show_fresh(Extension(session): Extension<Session>, mut request: Request, next: Next) -> Response {
    if request.uri().path() == SETTINGS
        && request.method().is_safe()
        && let Ok(Some(token)) = session.remove::<String>(FRESH).await
    {
        request.extensions_mut().insert(FreshToken(token));
    }
    if request.uri().path().starts_with("/admin/users/")
        && request.method().is_safe()
        && let Ok(Some((username, password))) = session.remove::<(String, String)>(FRESH_PASSWORD).await
    {
        request.extensions_mut().insert(FreshPassword(Fresh { username, password }));
    }
    next.run(request).await
}

/// Back to the page of a form, which says what was wrong.
pub fn back(page: &str, problem: Problem) -> Response {
    let refused = ServerFnUrlError::new("", FormRefusal(problem)).to_url(&format!("http://docket{page}"));
    let query = refused.ok().and_then(|url| url.query().map(str::to_owned)).unwrap_or_default();
    let path = page.split('?').next().unwrap_or(page);
    Redirect::to(&format!("{path}?{query}")).into_response()
}
