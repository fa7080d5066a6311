//! Signing in and out, by form and by API. Both doors end in [`attempt`]; whether a password is right, and how often somebody
//! may try, is the caseload's to say.

use axum::{
    Extension, Form,
    extract::{FromRequestParts, State},
    http::{HeaderName, HeaderValue, header, request::Parts},
    response::{AppendHeaders, IntoResponse, Response},
};
use caseload::{Actor, FirstStep, second_factor::HalfSignIn, throttle::Browser};
use model::{Code, Problem};
use serde::Deserialize;
use tower_sessions::Session;

pub use crate::auth::visitor::Visitor;
use crate::{
    auth::browser_name, auth::counted, auth::denials, auth::second_factor::half, auth::session,
    auth::session::PlannedId, state::AppState, web::client_address::Source, web::cookies::NamedCookie,
    web::cookies::one_time::OneTimeContent, web::problem::ProblemAnswer, web::redirect,
};

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// Says in which accounts a browser has signed in, so that strangers' guesses do not keep its people out. It opens nothing.
const KNOWN: &str = "docket-known";
/// A year, in seconds.
const KNOWN_FOR: i64 = 365 * 86_400;

impl FromRequestParts<AppState> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let device = agent.and_then(browser_name::name);
        let browser = known(state).open(&parts.headers).and_then(|words| serde_json::from_str(&words).ok());
        Ok(Visitor { source: Source::from_request_parts(parts, state).await?, device, browser })
    }
}

fn known(state: &AppState) -> NamedCookie<'_> {
    NamedCookie { name: KNOWN, key: &state.key, http: &state.http }
}

/// Has the browser of somebody who has signed in be known from now on.
pub type Remembered = AppendHeaders<Option<(HeaderName, HeaderValue)>>;

pub fn remember(state: &AppState, visitor: &Visitor, actor: &Actor) -> Remembered {
    known_as(state, &Browser::after(visitor.browser.as_ref(), actor.person_id))
}

pub(super) fn known_as(state: &AppState, browser: &Browser) -> Remembered {
    let cookie = serde_json::to_string(browser).ok().and_then(|words| known(state).seal(words, KNOWN_FOR));
    AppendHeaders(cookie.map(|cookie| (header::SET_COOKIE, cookie)))
}

/// What a right password came to.
pub enum Attempted {
    /// The session is theirs.
    In(Remembered),
    /// A code is asked of them, and nothing is theirs yet.
    Asked(HalfSignIn),
}

/// Signs somebody in by their password, makes the session theirs and the browser known; or says that more is asked of them.
pub async fn attempt(
    state: &AppState,
    session: &Session,
    visitor: &Visitor,
    username: &str,
    password: &str,
) -> Result<Attempted, ProblemAnswer> {
    let (source, browser) = (visitor.source.address, visitor.browser.as_ref());
    let id = PlannedId::draw();
    let step = state.caseload.factors().first_step(username, password, source, browser, Some(&id.public())).await;
    let actor = match step {
        // It is counted once it has come to its end.
        Ok(FirstStep::Asked(half)) => return Ok(Attempted::Asked(half)),
        Ok(FirstStep::CameIn(actor)) => Ok(actor),
        Err(error) => Err(error),
    };
    counted::sign_in("password", actor.is_ok());
    let actor = actor?;
    let now = state.caseload.db().now().await.map_err(caseload::Error::from)?;
    session::begin(session, id, &actor, visitor, now).await.map_err(unavailable)?;
    Ok(Attempted::In(remember(state, visitor, &actor)))
}

/// Ends the session, whoever's it is, and records who left.
pub async fn leave(state: &AppState, session: &Session, actor: Option<&Actor>) -> Result<Response, ProblemAnswer> {
    session.flush().await.map_err(unavailable)?;
    if let Some(actor) = actor {
        state.caseload.accounts().signed_out(actor).await?;
    }
    // The session layer's own removal lacks `Secure`, without which browsers ignore it for a `__Host-` name.
    let gone = state.http.cookie(session::COOKIE).set("", 0);
    let cookie = HeaderValue::try_from(gone).map_err(unavailable)?;
    // What the browser has kept of it goes, too. Its cookies stay: they would go for every site of the college.
    let clear = HeaderValue::from_static(r#""cache", "storage""#);
    Ok(([(header::SET_COOKIE, cookie), (CLEAR_SITE_DATA, clear)], ()).into_response())
}

pub(super) fn unavailable(error: impl std::fmt::Display) -> ProblemAnswer {
    tracing::error!(%error, "a session could not be written");
    ProblemAnswer(Problem::unavailable())
}

/// What the page `/login` sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SignInForm {
    username: String,
    password: String,
    next: String,
}

impl SignInForm {
    /// The first field that was left empty or not sent.
    fn missing(&self) -> Option<&'static str> {
        match (self.username.trim(), self.password.as_str()) {
            ("", _) => Some("username"),
            (_, "") => Some("password"),
            _ => None,
        }
    }
}

/// `POST /login`: to where one wanted to go, or back to the form with the reason.
pub async fn by_form(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    Form(form): Form<SignInForm>,
) -> Response {
    let next = redirect::page(&form.next);
    let back = |failed: &str| {
        let mut query = vec![("failed", failed)];
        query.extend(next.map(|next| ("next", next)));
        let back = redirect::to(&redirect::with_query("/login", &query));
        OneTimeContent::username("/login", &form.username).put(&state, back)
    };
    if let Some(field) = form.missing() {
        return back(field);
    }
    let problem = match attempt(&state, &session, &visitor, &form.username, &form.password).await {
        Ok(Attempted::In(remembered)) => {
            return (remembered, redirect::to(next.unwrap_or("/people"))).into_response();
        }
        Ok(Attempted::Asked(asked)) => return ask_for_code(&session, asked, next).await,
        Err(ProblemAnswer(problem)) => problem,
    };
    let failed = match problem.status {
        429 => "throttled",
        401 if problem.code == Code::PASSWORD_SPENT.name() => "spent",
        401 => "credentials",
        _ => "unavailable",
    };
    (denials::of(&problem).map(Extension), back(failed)).into_response()
}

/// Keeps the sign-in until its code comes, and leads to where it is asked for.
async fn ask_for_code(session: &Session, asked: HalfSignIn, next: Option<&str>) -> Response {
    if let Err(error) = half::keep(session, asked).await {
        return unavailable(error).into_response();
    }
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    redirect::to(&redirect::with_query(half::PAGE, &query))
}

/// `POST /logout`: to the sign-in page.
pub async fn out(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    actor: Option<Extension<Actor>>,
) -> Response {
    match leave(&state, &session, actor.as_deref()).await {
        Ok(gone) => (gone.headers().clone(), redirect::to("/login")).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}
