//! To a provider and back.
//!
//! What comes back counts only where it was asked for: in the browser that carries the question, from the provider that was asked, once,
//! with a code that only whoever asked can exchange, for a word that was signed for this very question.

use axum::{
    Extension,
    extract::{Path, Query, State},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::Actor;
use chrono::DateTime;
use model::{Code, Instant, Problem};
use openidconnect::{
    AuthorizationCode, CsrfToken, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RequestTokenError,
    Scope,
    core::{CoreAuthenticationFlow, CoreTokenResponse},
};
use serde::Deserialize;
use serde_json::Value;
use tower_sessions::Session;

use super::{
    claims::{self, Claims},
    connection::{Known, Provider, Unreachable},
    opened_session::{OpenedBy, seal},
    person_asked::{NotTold, complete},
    question::SignInQuestion,
    token::{Disbelieved, Expected, believe},
};
use crate::{
    auth::{
        counted, session,
        session::PlannedId,
        sign_in::{Remembered, remember},
        visitor::Visitor,
    },
    state::AppState,
    web::redirect,
};

/// The longest name that is handed on to a provider, in bytes.
const LONGEST_HINT: usize = 320;
/// The longest address that is taken along, in bytes: a cookie has room for 4,096.
const LONGEST_NEXT: usize = 1_500;
/// The longest code that is exchanged, in bytes.
const LONGEST_CODE: usize = 4_096;
/// The longest name that a provider can have for a session, in bytes.
const LONGEST_NAME: usize = 255;
/// How much is written down of what came by way of a browser, in characters.
const LONGEST_SAID: usize = 64;

/// Where somebody wants to go, and whether they show once more who they are.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    next: String,
    again: Option<String>,
    login_hint: Option<String>,
}

/// What the provider leads back with.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ProviderAnswer {
    state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// Why nobody comes in.
#[derive(Debug)]
pub enum NotLetIn {
    /// The answer is to no question of this browser's.
    NotAsked,
    /// The provider says no.
    ByProvider(String),
    Unreachable(Unreachable),
    /// What it says is not to be believed.
    Unbelievable(String),
    ByDocket(Problem),
}

impl From<Unreachable> for NotLetIn {
    fn from(error: Unreachable) -> NotLetIn {
        NotLetIn::Unreachable(error)
    }
}

impl From<Disbelieved> for NotLetIn {
    fn from(error: Disbelieved) -> NotLetIn {
        match error {
            Disbelieved::Unreachable(error) => NotLetIn::Unreachable(error),
            other => NotLetIn::Unbelievable(other.to_string()),
        }
    }
}

impl From<NotTold> for NotLetIn {
    fn from(error: NotTold) -> NotLetIn {
        match error {
            NotTold::Unreachable(error) => NotLetIn::Unreachable(error),
            other => NotLetIn::Unbelievable(other.to_string()),
        }
    }
}

impl NotLetIn {
    /// The word of the sign-in page for it.
    fn word(&self) -> &'static str {
        match self {
            NotLetIn::NotAsked => "not-asked",
            NotLetIn::ByProvider(_) => "provider",
            NotLetIn::Unreachable(_) => "provider-away",
            NotLetIn::Unbelievable(_) => "unbelievable",
            NotLetIn::ByDocket(problem) => match problem.code.as_str() {
                code if code == Code::NO_ROLE_GIVEN.name() => "no-role",
                code if code == Code::NO_ACCOUNT_HERE.name() => "no-account",
                code if code == Code::ACCOUNT_DISABLED.name() => "disabled",
                _ => "unavailable",
            },
        }
    }
}

/// `GET /login/with/{provider}`: on to the provider.
pub async fn begin(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
    actor: Option<Extension<Actor>>,
) -> Response {
    let Some(provider) = state.providers.get(&name).cloned() else { return back("provider-unknown", &wanted.next) };
    let again = actor.filter(|_| wanted.again.is_some()).map(|actor| actor.person_id);
    let now = match state.caseload.db().now().await {
        Ok(now) => now,
        Err(error) => return refuse(&provider, &unavailable(error), &wanted.next),
    };
    let known = match provider.known(false).await {
        Ok(known) => known,
        Err(error) => return refuse(&provider, &NotLetIn::Unreachable(error), &wanted.next),
    };
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let client = provider.client(&known);
    let mut request = client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes(provider.settings.scopes.iter().cloned().map(Scope::new))
        .set_pkce_challenge(challenge);
    let prompt = if again.is_some() { Some("login") } else { provider.settings.prompt.as_deref() };
    if let Some(prompt) = prompt {
        request = request.add_extra_param("prompt", prompt.to_owned());
    }
    if again.is_some() {
        request = request.add_extra_param("max_age", "0");
    }
    if !provider.settings.acr.is_empty() {
        request = request.add_extra_param("acr_values", provider.settings.acr.join(" "));
    }
    if let Some(hint) = wanted.login_hint.filter(|hint| hint.len() <= LONGEST_HINT) {
        request = request.add_extra_param("login_hint", hint);
    }
    let (address, csrf, nonce) = request.url();
    let question = SignInQuestion {
        provider: name,
        asked: now,
        state: csrf.secret().clone(),
        nonce: nonce.secret().clone(),
        verifier: verifier.secret().clone(),
        next: redirect::page(&wanted.next).filter(|next| next.len() <= LONGEST_NEXT).map(str::to_owned),
        again,
    };
    let mut response = redirect::away(&address);
    if let Some(cookie) = question.seal(&state) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// `GET /login/return/{provider}`: back from it.
pub async fn finish(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(answer): Query<ProviderAnswer>,
    Extension(session): Extension<Session>,
    actor: Option<Extension<Actor>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Response {
    let question = SignInQuestion::open(&state, &headers).filter(|question| question.provider == name);
    let next = question.as_ref().and_then(|question| question.next.clone()).unwrap_or_default();
    let mut response = match (state.providers.get(&name), question) {
        (None, _) => back("provider-unknown", &next),
        (Some(provider), None) => refuse(provider, &NotLetIn::NotAsked, &next),
        (Some(provider), Some(question)) => {
            let actor = actor.as_deref();
            let came_in = come_in(&state, provider, &question, answer, &session, actor, &visitor).await;
            counted::sign_in(&provider.settings.name, came_in.is_ok());
            match came_in {
                Ok(response) => response,
                Err(refused) => refuse(provider, &refused, &next),
            }
        }
    };
    if let Some(gone) = SignInQuestion::gone(&state) {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    response
}

async fn come_in(
    state: &AppState,
    provider: &Provider,
    question: &SignInQuestion,
    answer: ProviderAnswer,
    session: &Session,
    actor: Option<&Actor>,
    visitor: &Visitor,
) -> Result<Response, NotLetIn> {
    let now = state.caseload.db().now().await.map_err(unavailable)?;
    if answer.state != question.state || question.is_over(now) {
        return Err(NotLetIn::NotAsked);
    }
    let _turn = state.providers.places().turn(visitor.source.address).await.ok_or(Unreachable::Busy)?;
    let known = provider.known(false).await?;
    // Whoever runs two providers could lead the answer of one to the address of the other.
    let says_whose = known.metadata.additional_metadata().authorization_response_iss_parameter_supported;
    match answer.iss.as_deref() {
        Some(issuer) if issuer != provider.issuer() => return Err(NotLetIn::NotAsked),
        None if says_whose => return Err(NotLetIn::NotAsked),
        _ => {}
    }
    if let Some(error) = answer.error {
        return Err(NotLetIn::ByProvider(error.chars().take(LONGEST_SAID).collect()));
    }
    let code = answer.code.filter(|code| code.len() <= LONGEST_CODE).ok_or(NotLetIn::NotAsked)?;
    let tokens = exchange(provider, &known, code, question).await?;
    let nonce = Nonce::new(question.nonce.clone());
    let expected = Expected::Answer { nonce: &nonce, again: question.again.is_some() };
    let told = believe(provider, &tokens, expected, now).await?;
    let told = complete(provider, &known, told, &tokens).await?;
    if question.again.is_some() {
        prove(provider, question, session, actor, &told).await?;
        session::note_typed(session, now).await.map_err(unavailable)?;
        return Ok(redirect::to(question.next.as_deref().unwrap_or("/settings")));
    }
    let remembered = begin_session(state, provider, (told, &tokens, now), session, visitor).await?;
    Ok((remembered, redirect::to(question.next.as_deref().unwrap_or("/people"))).into_response())
}

/// Only whoever sits at the session shows once more that it is them.
async fn prove(
    provider: &Provider,
    question: &SignInQuestion,
    session: &Session,
    actor: Option<&Actor>,
    told: &Claims,
) -> Result<(), NotLetIn> {
    let opened = session::opened_by(session).await.filter(|opened| opened.issuer == provider.issuer());
    let is_same_account = actor.is_some_and(|actor| Some(actor.person_id) == question.again);
    match is_same_account && opened.is_some_and(|opened| Some(opened.subject.as_str()) == text(told, "sub")) {
        true => Ok(()),
        false => Err(NotLetIn::Unbelievable("somebody else has signed in there".to_owned())),
    }
}

/// Makes the session that of whom the provider has let in.
async fn begin_session(
    state: &AppState,
    provider: &Provider,
    (told, tokens, now): (Claims, &CoreTokenResponse, Instant),
    session: &Session,
    visitor: &Visitor,
) -> Result<Remembered, NotLetIn> {
    let (settings, accounts, id) = (&provider.settings, state.caseload.accounts(), PlannedId::draw());
    let person = claims::person(settings, provider.issuer(), text(&told, "sub").unwrap_or_default(), &told);
    let source = visitor.source.address;
    let actor = accounts.sign_in_provided(&person, &settings.accounts, source, &id.public()).await;
    let actor = actor.map_err(|error| NotLetIn::ByDocket(error.into()))?;
    let opened = OpenedBy {
        provider: settings.name.clone(),
        issuer: person.issuer,
        subject: person.subject,
        provider_session: text(&told, "sid").filter(|name| name.len() <= LONGEST_NAME).map(str::to_owned),
        refresh: tokens.refresh_token().and_then(|token| seal(&state.key, token.secret())),
        vouched_until: now + settings.confirm_every,
    };
    let shown = told.get("auth_time").and_then(Value::as_i64).and_then(|at| DateTime::from_timestamp(at, 0));
    session::begin_by(session, id, &actor, visitor, shown.map(|at| at.min(now)), opened).await.map_err(unavailable)?;
    Ok(remember(state, visitor, &actor))
}

fn text<'a>(told: &'a Claims, name: &str) -> Option<&'a str> {
    told.get(name).and_then(Value::as_str)
}

async fn exchange(
    provider: &Provider,
    known: &Known,
    code: String,
    question: &SignInQuestion,
) -> Result<CoreTokenResponse, NotLetIn> {
    let client = provider.client(known);
    let request = client.exchange_code(AuthorizationCode::new(code));
    let request = request.map_err(|error| NotLetIn::Unbelievable(error.to_string()))?;
    let request = request.set_pkce_verifier(PkceCodeVerifier::new(question.verifier.clone()));
    request.request_async(&provider.line).await.map_err(|error| match error {
        RequestTokenError::Request(error) => NotLetIn::Unreachable(error),
        RequestTokenError::ServerResponse(said) => NotLetIn::Unbelievable(said.to_string()),
        other => NotLetIn::Unbelievable(other.to_string()),
    })
}

fn unavailable(error: impl std::fmt::Display) -> NotLetIn {
    tracing::error!(%error, "a sign-in by a provider could not be kept");
    NotLetIn::ByDocket(Problem::unavailable())
}

/// To the sign-in page, which says what went wrong; the log says it in full.
fn refuse(provider: &Provider, refused: &NotLetIn, next: &str) -> Response {
    let why = match refused {
        NotLetIn::NotAsked => "the answer is to no question of this browser’s".to_owned(),
        NotLetIn::ByProvider(said) | NotLetIn::Unbelievable(said) => said.clone(),
        NotLetIn::Unreachable(error) => error.to_string(),
        NotLetIn::ByDocket(problem) => problem.title.clone(),
    };
    tracing::warn!(provider = provider.settings.name, why, "a sign-in by a provider came to nothing");
    back(refused.word(), next)
}

fn back(failed: &str, next: &str) -> Response {
    let mut query = vec![("failed", failed)];
    query.extend(redirect::page(next).map(|next| ("next", next)));
    redirect::to(&redirect::with_query("/login", &query))
}
