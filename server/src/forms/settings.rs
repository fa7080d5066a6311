//! The forms of `/settings`: they change who is signed in how, so they need the session itself.

use app::{
    pages::{done::Done, settings::api::PAGE},
    refusal::Refusal,
    url,
};
use axum::{
    Extension, Form,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload, NewToken, tokens::days};
use model::{Problem, account::TokenScope, enum_words::Reader, parameters};
use serde::Deserialize;
use tower_sessions::Session;

use crate::{
    auth::actor::Caller, auth::denials, auth::reauthentication, auth::session, state::AppState,
    web::client_address::Source, web::cookies::one_time::OneTimeContent, web::redirect,
};

/// Another password.
#[derive(Deserialize)]
pub struct Passwords {
    current: String,
    password: String,
    /// Where somebody was going who had to choose one first.
    #[serde(default)]
    next: String,
}

/// `POST /settings/password`: the other sessions and all tokens end, and this session goes on. Guessing is slowed down as it is at
/// the sign-in.
pub async fn change_password(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<Passwords>,
) -> Response {
    let next = redirect::page(&given.next);
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    // Whoever had to choose one was asked on the way in.
    let page = if actor.must_change { redirect::with_query("/login", &query) } else { PAGE.to_owned() };
    let changed = async {
        let session_version =
            state.caseload.accounts().change_password(&actor, &given.current, &given.password).await?;
        Ok::<_, caseload::Error>((session_version, state.caseload.db().now().await?))
    };
    match changed.await {
        Ok((session_version, now)) => {
            let to = done(Done::PasswordChanged);
            let to = next.filter(|_| actor.must_change).unwrap_or(&to);
            let noted = session::note_typed(&session, now).await;
            go_on(&session, Actor { session_version, ..actor }, noted.map(|()| to)).await
        }
        Err(error) => back(&page, error.into()),
    }
}

/// An address whose link was followed.
#[derive(Deserialize)]
pub struct FollowedLink {
    token: String,
    #[serde(default)]
    own_password: String,
}

/// `POST /settings/address`: takes the address over.
pub async fn verify_address(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<FollowedLink>,
) -> Response {
    let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await;
    let proven = match proven {
        Ok(proven) => proven,
        // The link has not been used.
        Err(problem) => return back(&redirect::with_query(PAGE, &[("verify", &given.token)]), problem),
    };
    match state.caseload.accounts().verify_address(&proven, &given.token).await {
        Ok(()) => redirect::to(&done(Done::AddressVerified)),
        Err(error) => back(PAGE, error.into()),
    }
}

/// What else ends with the sessions.
#[derive(Deserialize)]
pub struct Everywhere {
    tokens: Option<String>,
}

/// `POST /settings/sessions/end`: every other session ends, and the tokens if that box is ticked.
pub async fn end_sessions(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    Form(given): Form<Everywhere>,
) -> Response {
    let tokens_too = given.tokens.is_some();
    match caseload.accounts().end_sessions(&actor, tokens_too).await {
        Ok(session_version) => {
            let to = done(if tokens_too { Done::EverythingEnded } else { Done::SessionsEnded });
            go_on(&session, Actor { session_version, ..actor }, Ok(&to)).await
        }
        Err(error) => back(PAGE, error.into()),
    }
}

/// Goes on in this session, which is the only one that has not ended.
pub(super) async fn go_on(
    session: &Session,
    actor: Actor,
    to: Result<&str, tower_sessions::session::Error>,
) -> Response {
    let gone_on = match to {
        Ok(to) => session::go_on(session, &actor).await.map(|()| to),
        Err(error) => Err(error),
    };
    match gone_on {
        Ok(to) => redirect::to(to),
        Err(_) => redirect::to("/login"),
    }
}

/// `POST /settings/sessions/{id}/end`: one other session ends.
pub async fn end_session(State(state): State<AppState>, Caller(actor): Caller, Path(id): Path<String>) -> Response {
    let ended = async {
        match state.sessions.end(actor.person_id, &id).await? {
            true => state.caseload.accounts().session_ended(&actor, &id).await,
            false => Err(Problem::not_found("session").into()),
        }
    };
    match ended.await {
        Ok(()) => redirect::to(&done(Done::SessionEnded)),
        Err(error) => back(PAGE, error.into()),
    }
}

/// A token to be.
#[derive(Deserialize)]
pub struct TokenForm {
    name: String,
    scope: String,
    days: String,
    #[serde(default)]
    own_password: String,
}

impl TokenForm {
    fn token(&self) -> Result<NewToken, Problem> {
        let scope = parameters::parse::<TokenScope>("scope", &self.scope, Reader::Person)?;
        let number =
            self.days.trim().parse().map_err(|_| Problem::field("days", "invalid", "Enter a number of days."))?;
        Ok(NewToken { lasts: days(number), ..NewToken::new(&self.name, scope) })
    }
}

/// `POST /settings/tokens`: makes a token, which the page shows once.
pub async fn issue_token(
    State(state): State<AppState>,
    Caller(actor): Caller,
    Extension(session): Extension<Session>,
    source: Source,
    Form(given): Form<TokenForm>,
) -> Response {
    let issued = async {
        let new = given.token()?;
        let proven = reauthentication::prove(&state, &session, &actor, &given.own_password).await?;
        Ok::<_, Problem>(state.caseload.tokens().issue_own(&proven, new, source.told().as_deref()).await?)
    };
    match issued.await {
        Ok(token) => {
            let parcel = OneTimeContent::Token { owner: actor.person_id, token };
            parcel.put(&state, redirect::to(PAGE))
        }
        Err(problem) => {
            let typed = [("name", given.name.as_str()), ("scope", &given.scope), ("days", &given.days)];
            back(PAGE, Refusal(problem).keeping(&typed).0)
        }
    }
}

/// The settings, where it is said what was done.
pub(super) fn done(what: Done) -> String {
    redirect::with_query(PAGE, &[("done", what.name())])
}

/// Back to the page of a form, which says what was wrong.
pub fn back(page: &str, problem: Problem) -> Response {
    let denied = denials::of(&problem).map(Extension);
    (denied, redirect::to(&url::with_refusal(page, &Refusal(problem)))).into_response()
}
