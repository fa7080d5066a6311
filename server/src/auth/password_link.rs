//! `POST /forgot` and `POST /password`: a new password for whoever has lost theirs, and the first one for whoever was invited, by a link
//! that is sent to their address. Neither signs anybody in.

use app::pages::done::Done;
use axum::{Form, extract::State, response::Response};
use model::Problem;
use serde::Deserialize;

use crate::{
    forms::settings::back, state::AppState, web::client_address::Source, web::cookies::one_time::OneTimeContent,
    web::redirect,
};

const ASK: &str = "/forgot";
const CHOOSE: &str = "/password";

/// Whose password it is.
#[derive(Deserialize)]
pub struct Forgotten {
    #[serde(default)]
    username: String,
}

/// Leads to the same words whether there is such an account or not.
pub async fn request(State(state): State<AppState>, source: Source, Form(given): Form<Forgotten>) -> Response {
    match state.caseload.accounts().request_password_link(&given.username, source.address).await {
        Ok(()) => redirect::to(&redirect::with_query(ASK, &[("done", Done::PasswordLinkRequested.name())])),
        Err(error) => OneTimeContent::username(ASK, &given.username).put(&state, back(ASK, Problem::from(error))),
    }
}

/// The password that somebody has chosen, under the link that was sent to them.
#[derive(Deserialize)]
pub struct Chosen {
    #[serde(default)]
    token: String,
    #[serde(default)]
    password: String,
}

/// Leads to the sign-in page.
pub async fn choose(State(state): State<AppState>, source: Source, Form(given): Form<Chosen>) -> Response {
    match state.caseload.accounts().choose_password(&given.token, &given.password, source.address).await {
        Ok(_) => redirect::to(&redirect::with_query("/login", &[("done", Done::PasswordChosen.name())])),
        Err(error) => back(&redirect::with_query(CHOOSE, &[("token", &given.token)]), Problem::from(error)),
    }
}
