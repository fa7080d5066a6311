//! What one answer leaves for the next page of the same browser: a fresh token or password, to be shown once, and the username of
//! a form that was refused. It is nowhere on this side: the browser carries it sealed, and not in an address, which is kept in
//! histories and logs.

use app::{
    pages::admin::fresh_password::Fresh,
    server::{FreshPassword, FreshRecoveryCodes, FreshToken, TypedUsername},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::Response,
};
use caseload::Actor;
use model::AccountId;
use serde::{Deserialize, Serialize};

use crate::{state::AppState, web::cookies::NamedCookie};

const COOKIE: &str = "docket-parcel";
/// Long enough to get to the next page, in seconds.
const KEPT: i64 = 60;

/// What is carried, and for whom.
#[derive(Serialize, Deserialize)]
pub enum OneTimeContent {
    Token {
        owner: AccountId,
        token: String,
    },
    RecoveryCodes {
        owner: AccountId,
        codes: Vec<String>,
        /// Where somebody was going who had to set up an app first.
        next: Option<String>,
    },
    /// Of the account `of`, for the administrator who made it.
    Password {
        owner: AccountId,
        of: AccountId,
        username: String,
        password: String,
    },
    /// Typed into the form of `page`.
    Username {
        page: String,
        username: String,
    },
}

/// What fits into a cookie, and more than any username has, in characters.
const LONGEST_USERNAME: usize = 200;

impl OneTimeContent {
    /// A username that was refused, for the form where it was typed. It may be a password, typed into the wrong field.
    pub fn username(page: &str, typed: &str) -> OneTimeContent {
        OneTimeContent::Username {
            page: page.to_owned(),
            username: typed.trim().chars().take(LONGEST_USERNAME).collect(),
        }
    }

    /// Lays it into an answer.
    pub fn put(&self, state: &AppState, mut response: Response) -> Response {
        let sealed = serde_json::to_string(self).ok().and_then(|words| beside(state).seal(words, KEPT));
        match sealed {
            Some(cookie) => _ = response.headers_mut().append(header::SET_COOKIE, cookie),
            None => tracing::error!("what an answer was to carry could not be sealed"),
        }
        response
    }

    fn sent(state: &AppState, headers: &HeaderMap) -> Option<OneTimeContent> {
        serde_json::from_str(&beside(state).open(headers)?).ok()
    }

    /// Whether this page, asked for by this caller, is the one that it is for.
    fn is_for(&self, path: &str, actor: Option<&Actor>) -> bool {
        let is = |owner: &AccountId| actor.is_some_and(|actor| actor.person_id == *owner);
        match self {
            OneTimeContent::Token { owner, .. } => path == "/settings" && is(owner),
            OneTimeContent::RecoveryCodes { owner, .. } => path == "/settings/second-factor" && is(owner),
            OneTimeContent::Password { owner, of, .. } => path == format!("/admin/users/{of}") && is(owner),
            OneTimeContent::Username { page, .. } => path == page,
        }
    }

    /// Hands it to the page.
    fn hand_to(self, request: &mut Request) {
        let extensions = request.extensions_mut();
        match self {
            OneTimeContent::Token { token, .. } => _ = extensions.insert(FreshToken(token)),
            OneTimeContent::RecoveryCodes { codes, next, .. } => {
                _ = extensions.insert(FreshRecoveryCodes { codes, next })
            }
            OneTimeContent::Password { username, password, .. } => {
                extensions.insert(FreshPassword(Fresh { username, password }));
            }
            OneTimeContent::Username { username, .. } => _ = extensions.insert(TypedUsername(username)),
        }
    }
}

fn beside(state: &AppState) -> NamedCookie<'_> {
    NamedCookie { name: COOKIE, key: &state.key, http: &state.http }
}

/// Hands a parcel to the one page that it is for, and takes it from the browser.
pub async fn deliver(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let parcel = match request.method() {
        &Method::GET => OneTimeContent::sent(&state, request.headers()),
        _ => None,
    };
    let actor = request.extensions().get::<Actor>();
    let Some(parcel) = parcel.filter(|parcel| parcel.is_for(request.uri().path(), actor)) else {
        return next.run(request).await;
    };
    parcel.hand_to(&mut request);
    let mut response = next.run(request).await;
    if let Some(gone) = beside(&state).gone() {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    response
}
