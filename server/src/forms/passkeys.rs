//! The forms of one's own passkeys. All other sessions end with them, so they need the session itself.

use app::{
    pages::{
        done::Done,
        settings::{
            api::PAGE as SETTINGS,
            second_factor::{PAGE as CODES, PASSKEYS},
        },
    },
    refusal::Refusal,
    server::MustSetUp,
};
use axum::{Extension, Form, extract::State, http::HeaderMap, response::Response};
use caseload::{Actor, PasskeyAdded, PasskeyAnswer};
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;

use super::settings::{back, done, go_on};
use crate::{
    auth::{actor::Caller, passkeys::question, reauthentication},
    state::AppState,
    web::{cookies::one_time::OneTimeContent, problem::Answer, redirect},
};

/// What fits into the cookie beside the codes, in bytes; from a longer address people start anew.
const LONGEST_NEXT: usize = 1_000;

/// `POST /settings/passkeys/question`: what a device is asked that is to have a passkey.
pub async fn ask(State(state): State<AppState>, Caller(actor): Caller) -> Answer<Response> {
    Ok(question::asked(&state, state.caseload.passkeys().ask_to_add(&actor).await?))
}

/// A passkey to be.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NewPasskeyForm {
    name: String,
    answer: String,
    own_password: String,
    /// Where somebody was going who had to set up a second factor first.
    next: String,
}

/// `POST /settings/passkeys`: the passkey counts from now on, and all other sessions end.
pub async fn add(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    must: Option<Extension<MustSetUp>>,
    headers: HeaderMap,
    Form(given): Form<NewPasskeyForm>,
) -> Response {
    let next = redirect::page(&given.next);
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    // Whoever had to set one up was asked on the way in.
    let page = redirect::with_query(if must.is_some() { "/login" } else { PASSKEYS }, &query);
    let secret = question::secret(&state, &headers);
    let added = async {
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        let answer = PasskeyAnswer { secret: &secret, answer: &given.answer };
        Ok::<_, Problem>(state.caseload.passkeys().add(&proven, &given.name, answer).await?)
    };
    let response = match added.await {
        Ok(PasskeyAdded { session_version, codes }) => {
            let (owner, next) = (actor.person_id, next.filter(|next| next.len() <= LONGEST_NEXT).map(str::to_owned));
            let to = if codes.is_empty() { done(Done::PasskeyAdded) } else { CODES.to_owned() };
            let on = go_on(&session, Actor { session_version, ..actor }, Ok(&to)).await;
            match codes.is_empty() {
                true => on,
                false => OneTimeContent::RecoveryCodes { owner, codes, next }.put(&state, on),
            }
        }
        Err(problem) => back(&page, Refusal(problem).keeping(&[("name", &given.name), ("form", "passkey")]).0),
    };
    question::over(&state, response)
}

/// Which one goes, and who says so.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct GonePasskeyForm {
    passkey: String,
    own_password: String,
}

/// `POST /settings/passkeys/remove`: nobody comes in with it any more, and all other sessions end.
pub async fn remove(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<GonePasskeyForm>,
) -> Response {
    let removed = async {
        let id = given.passkey.parse().map_err(|_| Problem::not_found("passkey"))?;
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.passkeys().remove(&proven, id).await?)
    };
    match removed.await {
        Ok(session_version) => {
            go_on(&session, Actor { session_version, ..actor }, Ok(&done(Done::PasskeyRemoved))).await
        }
        Err(problem) => back(SETTINGS, Refusal(problem).keeping(&[("form", "second-factor")]).0),
    }
}
