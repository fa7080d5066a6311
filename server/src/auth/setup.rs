//! `POST /setup`: the first account, from the link that a start without any prints; whoever makes it is signed in.

use axum::{
    Extension, Form,
    extract::State,
    response::{IntoResponse, Response},
};
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;

use crate::{
    auth::session::{self, PlannedId},
    auth::sign_in::{Visitor, remember},
    forms::settings::back,
    state::AppState,
    web::cookies::one_time::OneTimeContent,
    web::redirect,
};

const PAGE: &str = "/setup";

/// What the page sends.
#[derive(Deserialize)]
pub struct SetupForm {
    token: String,
    #[serde(default)]
    name: String,
    username: String,
    password: String,
}

pub async fn first(
    State(state): State<AppState>,
    Extension(session): Extension<Session>,
    visitor: Visitor,
    Form(given): Form<SetupForm>,
) -> Response {
    let page = redirect::with_query(PAGE, &[("token", given.token.as_str()), ("name", &given.name)]);
    let caseload = &state.caseload;
    let id = PlannedId::draw();
    let (at, public) = (visitor.source.address, id.public());
    let accounts = caseload.accounts();
    match accounts.set_up(&given.token, &given.username, &given.name, &given.password, (at, Some(&public))).await {
        Ok(actor) => match session::begin(&session, id, &actor, &visitor, caseload.now()).await {
            Ok(()) => (remember(&state, &visitor, &actor), redirect::to("/people")).into_response(),
            Err(_) => redirect::to("/login"),
        },
        Err(error) => OneTimeContent::username(PAGE, &given.username).put(&state, back(&page, Problem::from(error))),
    }
}
