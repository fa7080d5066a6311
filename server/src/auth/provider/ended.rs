//! A provider that ends sessions: somebody has signed out there, or is no longer to come in. It says so to the server itself, with a
//! token that it has signed, or by way of the browser, with nothing but the name that it has given the session.

use axum::{
    Form,
    extract::{Path, Query, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use model::Problem;
use openidconnect::{JsonWebKey, JsonWebKeyId, core::CoreJwsSigningAlgorithm};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    connection::{Known, Provider, Unreachable},
    sessions::EndedThere,
};
use crate::{
    state::AppState,
    web::{client_address::Source, problem::ProblemAnswer},
};

/// The longest token that is looked at, in bytes.
const LONGEST: usize = 16 * 1024;
/// The longest name of a session, in bytes.
const LONGEST_NAME: usize = 255;
/// How many sessions are ended in one go.
const AT_ONCE: u64 = 100;
/// How old a token may be.
const FRESH: TimeDelta = TimeDelta::minutes(5);
/// What such a token says that it is about.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

const NO_STORE: [(HeaderName, HeaderValue); 1] = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];

/// What a provider sends to the server.
#[derive(Deserialize)]
pub struct LogoutForm {
    #[serde(default)]
    logout_token: String,
}

/// What a browser is led to ask for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NamedSession {
    iss: String,
    sid: String,
}

#[derive(Deserialize)]
struct TokenHead {
    alg: CoreJwsSigningAlgorithm,
    kid: Option<String>,
    typ: Option<String>,
    /// What has to be understood, and is not.
    crit: Option<Value>,
}

/// `POST /login/ended/{provider}`: said by the provider itself.
pub async fn by_provider(
    State(state): State<AppState>,
    Path(name): Path<String>,
    source: Source,
    Form(told): Form<LogoutForm>,
) -> Response {
    let Some(provider) = state.providers.get(&name) else {
        return ProblemAnswer(Problem::not_found("provider")).into_response();
    };
    let Some(_turn) = state.providers.places().turn(source.address).await else {
        return ProblemAnswer(Problem::unavailable()).into_response();
    };
    let now = match state.caseload.db().now().await {
        Ok(now) => now,
        Err(error) => return ProblemAnswer::from(caseload::Error::from(error)).into_response(),
    };
    let meant = match believed(provider, &told.logout_token, now).await {
        Ok(meant) => meant,
        Err(why) => {
            tracing::warn!(provider = name, why, "a provider's word that a session has ended is not to be believed");
            return (StatusCode::BAD_REQUEST, NO_STORE, axum::Json(serde_json::json!({ "error": "invalid_request" })))
                .into_response();
        }
    };
    match end(&state, provider, &meant).await {
        Ok(()) => (StatusCode::OK, NO_STORE).into_response(),
        Err(error) => ProblemAnswer::from(error).into_response(),
    }
}

/// `GET /login/ended/{provider}`: said by way of a browser, in a frame that shows nothing. Whoever knows the name of a session has it
/// from the provider.
pub async fn by_browser(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(named): Query<NamedSession>,
) -> Response {
    if let Some(provider) = state.providers.get(&name)
        && named.iss == provider.issuer()
        && !named.sid.is_empty()
        && named.sid.len() <= LONGEST_NAME
    {
        let meant = EndedThere { subject: None, provider_session: Some(named.sid) };
        if let Err(error) = end(&state, provider, &meant).await {
            return ProblemAnswer::from(error).into_response();
        }
    }
    (StatusCode::NO_CONTENT, NO_STORE).into_response()
}

/// Ends these sessions, with their streams, and writes down that the provider did.
async fn end(state: &AppState, provider: &Provider, meant: &EndedThere) -> caseload::Result<()> {
    let accounts = state.caseload.accounts();
    loop {
        let sessions = state.sessions.meant_by(provider.issuer(), meant, AT_ONCE).await?;
        if sessions.is_empty() {
            return Ok(());
        }
        for session in sessions {
            if state.sessions.end(session.person_id, &session.id).await? {
                accounts.session_ended_by(&provider.settings.name, session.person_id, &session.id).await?;
            }
        }
    }
}

async fn believed(provider: &Provider, token: &str, now: DateTime<Utc>) -> Result<EndedThere, String> {
    if token.len() > LONGEST {
        return Err("it is too long".to_owned());
    }
    let away = |error: Unreachable| error.to_string();
    let known = provider.known(false).await.map_err(away)?;
    let mut ended = read(provider, &known, token, now);
    if ended == Err(Unbelieved::NoSuchKey) {
        let fresh = provider.known(true).await.map_err(away)?;
        ended = read(provider, &fresh, token, now);
    }
    ended.map_err(|error| error.to_string())
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Unbelieved {
    #[error("it is signed by a key that the provider does not have")]
    NoSuchKey,
    #[error("{0}")]
    Because(&'static str),
}

/// Which sessions have ended, if the provider says so, to Docket, now.
fn read(provider: &Provider, known: &Known, token: &str, now: DateTime<Utc>) -> Result<EndedThere, Unbelieved> {
    let because = Unbelieved::Because;
    let mut parts = token.split('.');
    let (Some(head), Some(words), Some(signature), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(because("it is no signed token"));
    };
    let part = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| because("it cannot be read"));
    let head_words: TokenHead = serde_json::from_slice(&part(head)?).map_err(|_| because("it cannot be read"))?;
    if !Provider::algorithms(known).contains(&head_words.alg) {
        return Err(because("it is signed in a way that the provider does not name"));
    }
    if head_words.typ.is_some_and(|typ| !["JWT", "LOGOUT+JWT"].contains(&typ.to_uppercase().as_str())) {
        return Err(because("it is a token for something else"));
    }
    if head_words.crit.is_some() {
        return Err(because("it is signed in a way that Docket does not know"));
    }
    let signed = &token[..head.len() + 1 + words.len()];
    let (kid, signature) = (head_words.kid.map(JsonWebKeyId::new), part(signature)?);
    let keys = known.metadata.jwks().keys();
    let mut fitting = keys.iter().filter(|key| kid.is_none() || key.key_id() == kid.as_ref()).peekable();
    if fitting.peek().is_none() {
        return Err(Unbelieved::NoSuchKey);
    }
    if !fitting.any(|key| key.verify_signature(&head_words.alg, signed.as_bytes(), &signature).is_ok()) {
        return Err(because("its signature is wrong"));
    }
    let claims: Map<String, Value> = serde_json::from_slice(&part(words)?).map_err(|_| because("it cannot be read"))?;
    if claims.get("iss").and_then(Value::as_str) != Some(provider.issuer()) {
        return Err(because("it is another provider's"));
    }
    let is_me = |of: &Value| of.as_str() == Some(&provider.settings.client_id);
    if !claims.get("aud").is_some_and(|aud| is_me(aud) || aud.as_array().is_some_and(|all| all.iter().any(is_me))) {
        return Err(because("it is for somebody else"));
    }
    let skew = TimeDelta::from_std(provider.settings.clock_skew).unwrap_or_default();
    let at = |name: &str| claims.get(name).and_then(Value::as_i64).and_then(|at| DateTime::from_timestamp(at, 0));
    match at("iat") {
        Some(issued) if issued <= now + skew && now - issued <= FRESH + skew => {}
        _ => return Err(because("it was not issued just now")),
    }
    if at("exp").is_some_and(|expires| expires + skew <= now) {
        return Err(because("it has expired"));
    }
    if claims.contains_key("nonce") || claims.get("events").is_none_or(|events| events.get(EVENT).is_none()) {
        return Err(because("it is no word on the end of a session"));
    }
    let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    match (text("sub"), text("sid")) {
        (None, None) => Err(because("it does not say whose session has ended")),
        (subject, provider_session) => Ok(EndedThere { subject, provider_session }),
    }
}
