//! Who calls, found once for each request, and the rule that without anybody nothing is answered.
//!
//! Deny by default: a new route is closed until it is named in [`OPEN`]. A token opens what it was made for, and a password that was
//! made for somebody opens the door to choosing their own.

use app::server::{AskedForCode, MustSetUp, PasswordTyped, SignedInBy};
use axum::{
    Extension,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, Method, Uri, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload, Credential, TokenBearer, Via, second_factor::AskedFor};
use model::{Code, Problem, account::TokenScope};
use tower_sessions::Session;

use crate::{
    auth::second_factor::half,
    auth::session,
    config::Http,
    state::AppState,
    web::client_address::Source,
    web::problem::{self, ProblemAnswer},
    web::redirect,
};

/// What is answered to anybody. A trailing `/` stands for everything below.
pub const OPEN: &[(Method, &str)] = &[
    (Method::GET, "/login"),
    (Method::POST, "/login"),
    (Method::GET, "/login/code"),
    (Method::POST, "/login/code"),
    (Method::POST, "/login/code/passkey"),
    (Method::POST, "/login/code/passkey/question"),
    (Method::POST, "/login/passkey"),
    (Method::POST, "/login/passkey/question"),
    (Method::GET, "/login/with/"),
    (Method::GET, "/login/return/"),
    (Method::GET, "/login/ended/"),
    (Method::POST, "/login/ended/"),
    (Method::GET, "/forgot"),
    (Method::POST, "/forgot"),
    (Method::GET, "/password"),
    (Method::POST, "/password"),
    (Method::GET, "/setup"),
    (Method::POST, "/setup"),
    (Method::POST, "/logout"),
    (Method::POST, "/api/1/session"),
    (Method::GET, "/api/1/problems"),
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

/// Below here the directory of the institution calls, which has tokens of its own: whoever answers asks for one (`scim/asked.rs`).
pub const DOOR: &str = "/scim/v2/";

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
    if is_static(path) || path.starts_with(DOOR) {
        return next.run(request).await;
    }
    let source = request.extensions().get::<Source>().copied().unwrap_or_default();
    let asks = asks(request.method(), path);
    let found = match find(&state.caseload, &session, request.headers(), asks, source).await {
        Ok(TokenBearer::Known(actor))
            if is_in_person(request.method(), path) && matches!(actor.via.credential, Credential::Token(_)) =>
        {
            let detail = "A token is not enough for this. Sign in with your password.";
            Ok(TokenBearer::Beyond(actor, Problem::forbidden(detail)))
        }
        found => found,
    };
    match found {
        Ok(TokenBearer::Known(actor)) => {
            let first = match first_of_all(&state.caseload, &session, &actor).await {
                Ok(first) => first,
                Err(error) => return ProblemAnswer(error.into()).into_response(),
            };
            if let Some(first) = first
                && !first.is_done_by(request.method(), path)
            {
                let mut response = match problem::page::is_wanted(&request) {
                    true => to_the_door(&request),
                    false => ProblemAnswer(first.refusal()).into_response(),
                };
                response.extensions_mut().insert(actor);
                return response;
            }
            if first == Some(FirstOfAll::SetUpSecondFactor) {
                request.extensions_mut().insert(MustSetUp);
            }
            let typed = PasswordTyped(session::typed(&session).await);
            request.extensions_mut().insert(typed);
            let opened = session::opened_by(&session).await.and_then(|opened| state.providers.button(&opened.provider));
            request.extensions_mut().insert(SignedInBy(opened));
            request.extensions_mut().insert(actor.clone());
            let mut response = next.run(request).await;
            // For whoever notes what they were denied.
            response.extensions_mut().insert(actor);
            response
        }
        Ok(TokenBearer::Beyond(actor, problem)) => {
            let mut response = ProblemAnswer(problem).into_response();
            response.extensions_mut().insert(actor);
            response
        }
        Ok(TokenBearer::Nobody) if is_open(request.method(), path) => {
            if path == half::PAGE
                && let Some(half) = half::of(&session).await
            {
                let AskedFor { app, passkey } = match state.caseload.factors().asked_for(&half).await {
                    Ok(asked) => asked,
                    Err(error) => return ProblemAnswer(error.into()).into_response(),
                };
                request.extensions_mut().insert(AskedForCode { username: half.username, app, passkey });
            }
            next.run(request).await
        }
        Ok(TokenBearer::Nobody) if problem::page::is_wanted(&request) => sign_in_page(&request, &state.http),
        Ok(TokenBearer::Nobody) => ProblemAnswer(Problem::signed_out()).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// A bearer token decides alone: who sends one means it, whatever cookie the client keeps as well.
async fn find(
    caseload: &Caseload,
    session: &Session,
    headers: &HeaderMap,
    asks: TokenScope,
    source: Source,
) -> Result<TokenBearer, ProblemAnswer> {
    if headers.contains_key(header::AUTHORIZATION) {
        return match bearer(headers) {
            Some(token) => Ok(caseload.tokens().bearer_of(token, asks, source.address).await?),
            None => Ok(TokenBearer::Nobody),
        };
    }
    match session::who(session).await {
        Ok(Some(who)) => {
            let id = session.id().map(|id| session::public_id(&id)).unwrap_or_default();
            let via = Via::new(Credential::Session(id), source.address);
            let actor = caseload.accounts().actor_of_session(who.person_id, who.session_version, via).await?;
            Ok(actor.map_or(TokenBearer::Nobody, TokenBearer::Known))
        }
        Ok(None) => Ok(TokenBearer::Nobody),
        Err(error) => {
            tracing::error!(%error, "a session could not be read");
            Err(ProblemAnswer(Problem::unavailable()))
        }
    }
}

/// A path without what says who calls: programs their interface, pages their server functions.
pub fn place(path: &str) -> &str {
    ["/api/1", "/api/page"].iter().find_map(|of| path.strip_prefix(of)).unwrap_or(path)
}

/// What somebody does in person, and by no token: what that could do to an account, a program must not be able to outlive it.
fn is_in_person(method: &Method, path: &str) -> bool {
    !method.is_safe() && ["/settings/", "/admin/users/"].iter().any(|own| place(path).starts_with(own))
}

/// How far a token must go for this request: what is below `admin` is administration, what is only looked at is reading.
pub fn asks(method: &Method, path: &str) -> TokenScope {
    match place(path).split('/').nth(1) {
        Some("admin") => TokenScope::Administer,
        _ if method.is_safe() => TokenScope::Read,
        _ => TokenScope::Submit,
    }
}

/// What somebody does before anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstOfAll {
    ChoosePassword,
    SetUpSecondFactor,
}

impl FirstOfAll {
    /// What is answered until then: what is open to anybody, the deed itself, and leaving.
    fn is_done_by(self, method: &Method, path: &str) -> bool {
        let deeds: &[&str] = match self {
            FirstOfAll::ChoosePassword => &["/settings/password"],
            FirstOfAll::SetUpSecondFactor => {
                &["/settings/second-factor", "/settings/passkeys", "/settings/passkeys/question"]
            }
        };
        is_open(method, path)
            || method == Method::POST && deeds.contains(&path)
            || method == Method::DELETE && path == "/api/1/session"
    }

    fn refusal(self) -> Problem {
        match self {
            FirstOfAll::ChoosePassword => must_change(),
            FirstOfAll::SetUpSecondFactor => must_set_up(),
        }
    }
}

/// What the caller has to do before anything else. A second factor is asked of sessions that a password opened: of no token, and of nobody
/// whom a provider has let in, who is asked there.
async fn first_of_all(
    caseload: &Caseload,
    session: &Session,
    actor: &Actor,
) -> Result<Option<FirstOfAll>, caseload::Error> {
    if actor.must_change {
        return Ok(Some(FirstOfAll::ChoosePassword));
    }
    if !matches!(actor.via.credential, Credential::Session(_))
        || !caseload.factors().needs_second_factor(actor)
        || session::opened_by(session).await.is_some()
    {
        return Ok(None);
    }
    let must = caseload.factors().must_set_up(actor).await?;
    Ok(must.then_some(FirstOfAll::SetUpSecondFactor))
}

/// To where it is done, and from there on to this page.
fn to_the_door(request: &Request) -> Response {
    let page = request.method().is_safe().then(|| request.uri().path_and_query()).flatten();
    let next = page.and_then(|page| redirect::page(page.as_str()));
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    redirect::to(&redirect::with_query("/login", &query))
}

/// 403: the password has to be changed first.
fn must_change() -> Problem {
    let detail = "You have a one-time password. Open Docket in a browser, sign in, and choose your own.";
    Problem::new(403, Code::PASSWORD_CHANGE_REQUIRED, "Choose your own password", detail)
}

/// 403: a second factor has to be set up first.
fn must_set_up() -> Problem {
    let detail = "Your role needs a second factor. Open Docket in a browser, sign in, and set one up.";
    Problem::new(403, Code::SECOND_FACTOR_MISSING, "Set up a second factor", detail)
}

/// The token of a request, if it comes with one.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// To the sign-in page, and from there back to where this request came from.
fn sign_in_page(request: &Request, http: &Http) -> Response {
    let headers = request.headers();
    let referrer = headers.get(header::REFERER).and_then(|from| from.to_str().ok()?.parse::<Uri>().ok());
    let page = if request.method().is_safe() { Some(request.uri()) } else { referrer.as_ref() };
    let next = page.and_then(|page| redirect::page(page.path_and_query()?.as_str()));
    let cookie = format!("{}=", http.cookie(session::COOKIE).name);
    let ended =
        headers.get_all(header::COOKIE).iter().any(|sent| sent.to_str().is_ok_and(|sent| sent.contains(&cookie)));
    let mut query = Vec::new();
    query.extend(ended.then_some(("failed", "ended")));
    query.extend(next.map(|next| ("next", next)));
    redirect::to(&redirect::with_query("/login", &query))
}

/// The caller, for handlers behind [`identify`].
pub struct Caller(pub Actor);

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ProblemAnswer;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ProblemAnswer> {
        parts.extensions.get::<Actor>().cloned().map(Caller).ok_or_else(|| ProblemAnswer(Problem::signed_out()))
    }
}
