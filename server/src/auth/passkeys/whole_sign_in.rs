//! `POST /login/passkey`: a sign-in with a passkey and nothing else, and what its device is asked before.

use axum::{
    Extension, Form,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use caseload::PasskeyAnswer;
use serde::Deserialize;
use tower_sessions::Session;

use super::question;
use crate::{
    auth::{
        counted, denials,
        session::{self, PlannedId},
        sign_in::{Remembered, remember, unavailable},
        visitor::Visitor,
    },
    state::AppState,
    web::{
        problem::{Answer, ProblemAnswer},
        redirect,
    },
};

/// `POST /login/passkey/question`.
pub async fn ask(State(state): State<AppState>) -> Answer<Response> {
    Ok(question::asked(&state, state.caseload.passkeys().ask_anybody().await?))
}

/// What the page sends, once the device has answered.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PasskeyForm {
    answer: String,
    next: String,
}

/// To where one wanted to go, or back to the form with the reason.
pub async fn by_form(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(form): Form<PasskeyForm>,
) -> Response {
    let next = redirect::page(&form.next);
    let secret = question::secret(&state, &headers);
    let given = PasskeyAnswer { secret: &secret, answer: &form.answer };
    let problem = match come_in(&state, &session, &visitor, given).await {
        Ok(remembered) => {
            let on = (remembered, redirect::to(next.unwrap_or("/people"))).into_response();
            return question::over(&state, on);
        }
        Err(ProblemAnswer(problem)) => problem,
    };
    let failed = match problem.status {
        401 => "passkey",
        429 => "throttled",
        _ => "unavailable",
    };
    let mut query = vec![("failed", failed)];
    query.extend(next.map(|next| ("next", next)));
    let back = redirect::to(&redirect::with_query("/login", &query));
    question::over(&state, (denials::of(&problem).map(Extension), back).into_response())
}

async fn come_in(
    state: &AppState,
    session: &Session,
    visitor: &Visitor,
    given: PasskeyAnswer<'_>,
) -> Result<Remembered, ProblemAnswer> {
    let id = PlannedId::draw();
    let (source, browser) = (visitor.source.address, visitor.browser.as_ref());
    let actor = state.caseload.passkeys().sign_in(given, source, browser, Some(&id.public())).await;
    counted::sign_in("passkey", actor.is_ok());
    let actor = actor?;
    let now = state.caseload.db().now().await.map_err(caseload::Error::from)?;
    // Its device has just made sure of them, which is as good as a password that they typed.
    session::begin(session, id, &actor, visitor, now).await.map_err(unavailable)?;
    Ok(remember(state, visitor, &actor))
}
