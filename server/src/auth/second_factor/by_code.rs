//! `POST /login/code`: the code of whoever has typed their password, and the session that begins with it.

use axum::{
    Extension, Form,
    extract::State,
    response::{IntoResponse, Response},
};
use caseload::{
    PasskeyAnswer,
    second_factor::{CameIn, HalfSignIn},
    throttle::Browser,
};
use model::Code;
use serde::Deserialize;
use tower_sessions::Session;

use super::half::{self, PAGE};
use crate::{
    auth::{
        counted, denials,
        session::{self, PlannedId},
        sign_in::{Remembered, known_as, unavailable},
        visitor::Visitor,
    },
    state::AppState,
    web::{cookies::one_time::OneTimeContent, problem::ProblemAnswer, redirect},
};

/// What somebody shows beside their password.
pub enum ShownBeside<'a> {
    Code(&'a str),
    Passkey(PasskeyAnswer<'a>),
}

/// Takes a code, makes the session theirs and the browser known, in which they may want to be asked for none for a while.
pub async fn come_in(
    state: &AppState,
    session: &Session,
    visitor: &Visitor,
    half: &HalfSignIn,
    (code, is_remembered): (&str, bool),
) -> Result<Remembered, ProblemAnswer> {
    come_in_by(state, session, visitor, half, (ShownBeside::Code(code), is_remembered)).await
}

/// The same with whatever they show.
pub async fn come_in_by(
    state: &AppState,
    session: &Session,
    visitor: &Visitor,
    half: &HalfSignIn,
    (shown, is_remembered): (ShownBeside<'_>, bool),
) -> Result<Remembered, ProblemAnswer> {
    let (source, before) = (visitor.source.address, visitor.browser.as_ref());
    let id = PlannedId::draw();
    // What it is from now on is what is remembered of it.
    let browser = Browser::after(before, half.person_id);
    let browser = if is_remembered { browser.trusted_by(half.person_id) } else { browser };
    let remembered = is_remembered.then_some(&browser);
    let (factors, public) = (state.caseload.factors(), id.public());
    let came_in = match shown {
        ShownBeside::Code(code) => factors.second_step(half, code, source, before, Some(&public), remembered).await,
        ShownBeside::Passkey(given) => {
            factors.second_step_by_passkey(half, given, source, before, Some(&public), remembered).await
        }
    };
    counted::sign_in("second_factor", came_in.is_ok());
    let CameIn { actor, .. } = came_in?;
    let now = state.caseload.db().now().await.map_err(caseload::Error::from)?;
    session::begin(session, id, &actor, visitor, now).await.map_err(unavailable)?;
    Ok(known_as(state, &browser))
}

/// What the page sends.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct CodeForm {
    code: String,
    next: String,
    /// Which code its page asked for.
    with: String,
    /// Ticked: no code is asked in this browser for a while.
    remember: String,
}

/// To where one wanted to go, or back to the form with the reason.
pub async fn by_form(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    Form(form): Form<CodeForm>,
) -> Response {
    let next = redirect::page(&form.next);
    let back = |page: &str, failed: &str| {
        let mut query = vec![("failed", failed)];
        query.extend(next.map(|next| ("next", next)));
        query.extend((page == PAGE && form.with == "recovery").then_some(("with", "recovery")));
        redirect::to(&redirect::with_query(page, &query))
    };
    let Some(half) = half::of(&session).await else { return back("/login", "late") };
    let problem = match come_in(&state, &session, &visitor, &half, (&form.code, !form.remember.is_empty())).await {
        Ok(remembered) => return (remembered, redirect::to(next.unwrap_or("/people"))).into_response(),
        Err(ProblemAnswer(problem)) => problem,
    };
    let is = |code: Code| problem.code.as_str() == code.name();
    let response = match problem.status {
        401 if is(Code::SIGN_IN_OVER) => back("/login", "late"),
        401 if is(Code::PASSWORD_SPENT) => back("/login", "spent"),
        401 if is(Code::CODE_USED) => back(PAGE, "used"),
        401 => back(PAGE, "wrong"),
        429 => back(PAGE, "throttled"),
        _ => back(PAGE, "unavailable"),
    };
    let typed = OneTimeContent::username(PAGE, &form.code);
    (denials::of(&problem).map(Extension), typed.put(&state, response)).into_response()
}
