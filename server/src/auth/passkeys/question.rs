//! What a device is asked, on its way to a page, with the secret that the same browser brings back with the answer.

use axum::{
    Json,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::AskedForPasskey;

use crate::{state::AppState, web::cookies::NamedCookie};

const COOKIE: &str = "docket-passkey";
/// As long as a question is open, in seconds.
const KEPT: i64 = 300;

fn kept(state: &AppState) -> NamedCookie<'_> {
    NamedCookie { name: COOKIE, key: &state.key, http: &state.http }
}

/// The question for the script of the page, and its secret for the browser.
pub fn asked(state: &AppState, asked: AskedForPasskey) -> Response {
    let mut response = Json(asked.options).into_response();
    match kept(state).seal(asked.secret, KEPT) {
        Some(cookie) => _ = response.headers_mut().append(header::SET_COOKIE, cookie),
        None => tracing::error!("the secret of a question could not be sealed"),
    }
    response
}

/// The secret that this browser has; empty where it has none, which fits no question.
pub fn secret(state: &AppState, headers: &HeaderMap) -> String {
    kept(state).open(headers).unwrap_or_default()
}

/// An answer has come: the browser forgets what it was for.
pub fn over(state: &AppState, mut response: Response) -> Response {
    if let Some(gone) = kept(state).gone() {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    response
}
