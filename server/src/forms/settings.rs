//! The forms of `/settings`: they change who is signed in how, so they need the session itself.

use app::{pages::done::Done, refusal::Refusal};
use axum::{
    Extension, Form,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use caseload::{Actor, AddressChange, Caseload, NewToken, preferences::ChosenPreferences, tokens::days};
use leptos::server_fn::error::ServerFnUrlError;
use model::{AccessTokenId, Problem, account::TokenScope, enum_words::Reader, filter};
use serde::Deserialize;
use tower_sessions::Session;

use crate::{
    auth::actor::InPerson, auth::denials, auth::reauthentication, auth::session, state::AppState,
    web::client_address::Source, web::one_time_cookie::OneTimeContent, web::redirect,
};

/// Where the page is.
const SETTINGS: &str = "/settings";

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
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Form(given): Form<Passwords>,
) -> Response {
    let next = redirect::page(&given.next);
    let query: Vec<_> = next.map(|next| ("next", next)).into_iter().collect();
    // Whoever had to choose one was asked on the way in.
    let page = if actor.must_change { redirect::with_query("/login", &query) } else { SETTINGS.to_owned() };
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

/// What else ends with the sessions.
#[derive(Deserialize)]
pub struct Everywhere {
    tokens: Option<String>,
}

/// `POST /settings/sessions/end`: every other session ends, and the tokens if that box is ticked.
pub async fn end_sessions(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Extension(session): Extension<Session>,
    Form(given): Form<Everywhere>,
) -> Response {
    let tokens_too = given.tokens.is_some();
    match caseload.accounts().end_sessions(&actor, tokens_too).await {
        Ok(session_version) => {
            let to = done(if tokens_too { Done::EverythingEnded } else { Done::SessionsEnded });
            go_on(&session, Actor { session_version, ..actor }, Ok(&to)).await
        }
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// Goes on in this session, which is the only one that has not ended.
async fn go_on(session: &Session, actor: Actor, to: Result<&str, tower_sessions::session::Error>) -> Response {
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
pub async fn end_session(State(state): State<AppState>, InPerson(actor): InPerson, Path(id): Path<String>) -> Response {
    let ended = async {
        match state.sessions.end(actor.person_id, &id).await? {
            true => state.caseload.accounts().session_ended(&actor, &id).await,
            false => Err(Problem::not_found("session").into()),
        }
    };
    match ended.await {
        Ok(()) => redirect::to(&done(Done::SessionEnded)),
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// How somebody likes Docket; a box that is not ticked is not sent.
#[derive(Deserialize)]
pub struct PreferencesForm {
    theme: String,
    #[serde(default)]
    time_zone: String,
    #[serde(default)]
    dates: String,
    shortcuts: Option<String>,
    live: Option<String>,
    notify: Option<String>,
    address: Option<String>,
}

/// `POST /settings/preferences`.
pub async fn prefer(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Form(given): Form<PreferencesForm>,
) -> Response {
    let chosen = ChosenPreferences {
        theme: &given.theme,
        time_zone: &given.time_zone,
        dates: &given.dates,
        shortcuts: given.shortcuts.is_some(),
        live: given.live.is_some(),
        notify: given.notify.is_some(),
        address: given.address.as_deref(),
    };
    match caseload.accounts().set_preferences(&actor, chosen).await {
        Ok(AddressChange::Settled) => redirect::to(&done(Done::PreferencesSaved)),
        Ok(AddressChange::LinkSent) => redirect::to(&done(Done::LinkSent)),
        Err(error) => back(SETTINGS, error.into()),
    }
}

/// The link to an address.
#[derive(Deserialize)]
pub struct AddressLink {
    token: String,
}

/// `POST /settings/address`: the link was followed, and its page has said so.
pub async fn verify_address(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Form(given): Form<AddressLink>,
) -> Response {
    match caseload.accounts().verify_address(&actor, &given.token).await {
        Ok(()) => redirect::to(&done(Done::AddressVerified)),
        Err(error) => back(SETTINGS, error.into()),
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
        let scope = filter::parse::<TokenScope>("scope", &self.scope, Reader::Person)?;
        let number =
            self.days.trim().parse().map_err(|_| Problem::field("days", "invalid", "Give a number of days."))?;
        Ok(NewToken { lasts: days(number), ..NewToken::new(&self.name, scope) })
    }
}

/// `POST /settings/tokens`: makes a token, which the page shows once.
pub async fn issue_token(
    State(state): State<AppState>,
    InPerson(actor): InPerson,
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
            parcel.put(&state, redirect::to(SETTINGS))
        }
        Err(problem) => {
            let typed = [("name", given.name.as_str()), ("scope", &given.scope), ("days", &given.days)];
            back(SETTINGS, Refusal(problem).keeping(&typed).0)
        }
    }
}

/// `POST /settings/tokens/{id}/revoke`.
pub async fn revoke_token(
    State(caseload): State<Caseload>,
    InPerson(actor): InPerson,
    Path(id): Path<String>,
) -> Response {
    let id: Result<AccessTokenId, Problem> = id.parse().map_err(|_| Problem::not_found("token"));
    let revoked = match id {
        Ok(id) => caseload.tokens().revoke_own(&actor, id).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match revoked {
        Ok(()) => redirect::to(&done(Done::TokenRevoked)),
        Err(problem) => back(SETTINGS, problem),
    }
}

/// The settings, where it is said what was done.
fn done(what: Done) -> String {
    redirect::with_query(SETTINGS, &[("done", what.name())])
}

/// Back to the page of a form, which says what was wrong.
pub fn back(page: &str, problem: Problem) -> Response {
    let denied = denials::of(&problem).map(Extension);
    let refused = ServerFnUrlError::new("", Refusal(problem)).to_url(&format!("http://docket{page}"));
    let query = refused.ok().and_then(|url| url.query().map(str::to_owned)).unwrap_or_default();
    let path = page.split('?').next().unwrap_or(page);
    (denied, redirect::to(&format!("{path}?{query}"))).into_response()
}
