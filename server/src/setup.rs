//! `POST /setup`: the first account, from the link that a start without any prints; whoever makes it is signed in.

use axum::{
    Extension, Form,
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use caseload::Caseload;
use model::Problem;
use serde::Deserialize;
use tower_sessions::Session;

use crate::{account::back, local, session, sign_in::Source};

/// What the page sends.
#[derive(Deserialize)]
pub struct First {
    token: String,
    #[serde(default)]
    name: String,
    username: String,
    password: String,
}

pub async fn first(
    State(caseload): State<Caseload>,
    Extension(session): Extension<Session>,
    source: Source,
    Form(given): Form<First>,
) -> Response {
    let kept = [("token", given.token.as_str()), ("name", &given.name), ("username", &given.username)];
    let page = local::with_query("/setup", &kept);
    match caseload.set_up(&given.token, &given.username, &given.name, &given.password).await {
        Ok(actor) => match session::begin(&session, &actor, source.device.as_deref()).await {
            Ok(()) => Redirect::to("/people").into_response(),
            Err(_) => Redirect::to("/login").into_response(),
        },
        Err(error) => back(&page, Problem::from(error)),
    }
}
