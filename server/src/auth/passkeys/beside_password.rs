//! `POST /login/code/passkey`: a passkey of whoever has typed their password, in place of a code.

use axum::{
    Extension, Form,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use caseload::{PasskeyAnswer, second_factor::HalfSignIn};
use model::{Code, Problem};
use serde::Deserialize;
use tower_sessions::Session;

use super::question;
use crate::{
    auth::{
        denials,
        second_factor::{
            by_code::{self, ShownBeside},
            half::{self, PAGE},
        },
        sign_in::Remembered,
        visitor::Visitor,
    },
    state::AppState,
    web::{
        problem::{Answer, ProblemAnswer},
        redirect,
    },
};

/// `POST /login/code/passkey/question`.
pub async fn ask(State(state): State<AppState>, Extension(session): Extension<Session>) -> Answer<Response> {
    let half = half::of(&session).await.ok_or_else(|| ProblemAnswer(Problem::signed_out()))?;
    Ok(question::asked(&state, state.caseload.passkeys().ask_beside_password(&half).await?))
}

/// What the page sends, once the device has answered.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasskeyInPlaceOfCode {
    answer: String,
    next: String,
    /// Ticked: nothing is asked beside the password in this browser for a while.
    remember: String,
}

/// To where one wanted to go, or back to the form with the reason.
pub async fn by_form(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(form): Form<PasskeyInPlaceOfCode>,
) -> Response {
    let next = redirect::page(&form.next);
    let back = |page: &str, failed: &str| {
        let mut query = vec![("failed", failed)];
        query.extend(next.map(|next| ("next", next)));
        redirect::to(&redirect::with_query(page, &query))
    };
    let Some(half) = half::of(&session).await else { return back("/login", "late") };
    let secret = question::secret(&state, &headers);
    let given = PasskeyAnswer { secret: &secret, answer: &form.answer };
    let response = match come_in(&state, &session, &visitor, &half, (given, !form.remember.is_empty())).await {
        Ok(remembered) => (remembered, redirect::to(next.unwrap_or("/people"))).into_response(),
        Err(ProblemAnswer(problem)) => {
            let response = match problem.status {
                401 if problem.code == Code::SIGN_IN_OVER.name() => back("/login", "late"),
                401 if problem.code == Code::PASSWORD_SPENT.name() => back("/login", "spent"),
                401 => back(PAGE, "passkey"),
                429 => back(PAGE, "throttled"),
                _ => back(PAGE, "unavailable"),
            };
            (denials::of(&problem).map(Extension), response).into_response()
        }
    };
    question::over(&state, response)
}

async fn come_in(
    state: &AppState,
    session: &Session,
    visitor: &Visitor,
    half: &HalfSignIn,
    (given, is_remembered): (PasskeyAnswer<'_>, bool),
) -> Result<Remembered, ProblemAnswer> {
    by_code::come_in_by(state, session, visitor, half, (ShownBeside::Passkey(given), is_remembered)).await
}
