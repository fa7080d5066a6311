//! The forms of one's own second factor. What ends with it ends every session but this one, so they need the session itself.

use app::{
    pages::{
        done::Done,
        settings::{api::PAGE as SETTINGS, second_factor::PAGE},
    },
    refusal::Refusal,
    server::MustSetUp,
};
use axum::{Extension, Form, extract::State, response::Response};
use caseload::{Actor, second_factor::AppConfirmed};
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;

use super::settings::{back, done, go_on};
use crate::{
    auth::{actor::Caller, reauthentication, second_factor::offered},
    state::AppState,
    web::{cookies::one_time::OneTimeContent, redirect},
};

/// What fits into the cookie beside the codes, in bytes; from a longer address people start anew.
const LONGEST_NEXT: usize = 1_000;

/// The first code of an app.
#[derive(Deserialize)]
pub struct FirstCode {
    #[serde(default)]
    code: String,
    #[serde(default)]
    own_password: String,
    /// Where somebody was going who had to set one up first.
    #[serde(default)]
    next: String,
}

/// `POST /settings/second-factor`: the app counts from now on, and all other sessions end.
pub async fn confirm(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    must: Option<Extension<MustSetUp>>,
    Form(given): Form<FirstCode>,
) -> Response {
    let next = redirect::page(&given.next);
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    // Whoever had to set one up was asked on the way in.
    let page = redirect::with_query(if must.is_some() { "/login" } else { PAGE }, &query);
    let confirmed = async {
        let key = offered::of(&session, &state.key, actor.person_id).await.ok_or_else(nothing_offered)?;
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.factors().confirm_app(&proven, &key, &given.code).await?)
    };
    match confirmed.await {
        Ok(AppConfirmed { session_version, codes }) => {
            let gone = offered::forget(&session).await;
            let (owner, next) = (actor.person_id, next.filter(|next| next.len() <= LONGEST_NEXT).map(str::to_owned));
            let to = if codes.is_empty() { done(Done::AppReplaced) } else { PAGE.to_owned() };
            let on = go_on(&session, Actor { session_version, ..actor }, gone.map(|()| to.as_str())).await;
            match codes.is_empty() {
                true => on,
                false => OneTimeContent::RecoveryCodes { owner, codes, next }.put(&state, on),
            }
        }
        Err(problem) => back(&page, Refusal(problem).keeping(&[("code", &given.code)]).0),
    }
}

/// Who says so.
#[derive(Deserialize)]
pub struct OwnPassword {
    #[serde(default)]
    own_password: String,
}

/// `POST /settings/second-factor/codes`: new recovery codes, which are shown this once.
pub async fn new_codes(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<OwnPassword>,
) -> Response {
    let made = async {
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.factors().new_recovery_codes(&proven).await?)
    };
    match made.await {
        Ok(codes) => {
            let shown = OneTimeContent::RecoveryCodes { owner: actor.person_id, codes, next: None };
            shown.put(&state, redirect::to(PAGE))
        }
        Err(problem) => back_to_settings(problem),
    }
}

/// `POST /settings/second-factor/remove`: no code is asked any more, and all other sessions end.
pub async fn remove(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<OwnPassword>,
) -> Response {
    let removed = async {
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.factors().remove_app(&proven).await?)
    };
    match removed.await {
        Ok(session_version) => go_on(&session, Actor { session_version, ..actor }, Ok(&done(Done::AppRemoved))).await,
        Err(problem) => back_to_settings(problem),
    }
}

/// Back to the settings, where it is said in the part that it is about.
fn back_to_settings(problem: Problem) -> Response {
    back(SETTINGS, Refusal(problem).keeping(&[("form", "second-factor")]).0)
}

fn nothing_offered() -> Problem {
    let message = "This page was open for too long. Add the key that it shows now to the app, and enter its code.";
    Problem::field("code", "gone", message)
}
