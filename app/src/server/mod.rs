//! The server's side of a server function: who calls, on which handle, and how the answer leaves. Server functions import
//! this module inside their bodies, which exist on the server only.

mod asked;
pub mod forms;
pub mod page;
mod redirect;
pub mod routes;
mod sheets;
mod shown;

use std::{pin::Pin, str::FromStr, sync::Arc};

use axum::http::{StatusCode, request::Parts};
use caseload::{Actor, Caseload};
use chrono::{Offset, TimeZone};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use model::{Problem, Submitted, account::SignedIn};
pub use redirect::{is_form, lead_to, send_form_to};

use crate::{
    components::own_password::OwnProof,
    pages::{
        admin::{fresh_password::Fresh, settings::SettingsPart},
        new_action::draft::{self, ConfirmForm, Draft},
        settings::second_factor::NewApp,
    },
    refusal::Refusal,
    url,
};

/// Accounts and passwords for the sign-in page of a demo; the server gives them as context, empty outside one.
#[derive(Clone, Debug, Default)]
pub struct DemoAccounts(pub Vec<(String, String)>);

/// The providers by which people can sign in, each by its name with the words of its button; the server gives them as context.
#[derive(Clone, Debug, Default)]
pub struct SignInWays(pub Vec<(String, String)>);

/// Where the caller is signed in; the server gives it as context. Nothing when nobody knows.
#[derive(Clone)]
pub struct Sessions(pub Arc<dyn Fn() -> SignedInSoon + Send + Sync>);

type SignedInSoon = Pin<Box<dyn Future<Output = Option<Vec<SignedIn>>> + Send>>;

/// A token that was made in the request before, to be shown once; the server gives it as an extension of the request.
#[derive(Clone)]
pub struct FreshToken(pub String);

/// When the caller typed their password last in this session; the server gives it as an extension of the request.
#[derive(Clone, Copy)]
pub struct PasswordTyped(pub Option<model::Instant>);

/// The provider that opened the session, by its name and the words of its button, if one did; the server gives it as an extension of the
/// request.
#[derive(Clone)]
pub struct SignedInBy(pub Option<(String, String)>);

/// Whether the caller has to set up a second factor before anything else; the server gives it as an extension of the request.
#[derive(Clone, Copy)]
pub struct MustSetUp;

/// Who has typed their password and is asked for a code; the server gives it as an extension of the request.
#[derive(Clone)]
pub struct AskedForCode {
    pub username: String,
    /// Whether they have an app that shows codes.
    pub app: bool,
    /// Whether they have a passkey that can be used here.
    pub passkey: bool,
}

/// Recovery codes that were made in the request before, to be shown once, with where somebody was going; the server gives them as an
/// extension of the request.
#[derive(Clone)]
pub struct FreshRecoveryCodes {
    pub codes: Vec<String>,
    pub next: Option<String>,
}

/// The key that the caller can put into an app, as long as they are signed in; the server gives it as context.
#[derive(Clone)]
pub struct OfferedApp(pub Arc<dyn Fn() -> OfferedSoon + Send + Sync>);

type OfferedSoon = Pin<Box<dyn Future<Output = Option<NewApp>> + Send>>;

/// The username in a form that has just been refused; the server gives it as an extension of the request.
#[derive(Clone)]
pub struct TypedUsername(pub String);

/// The settings in effect, for the page that shows them; the server gives them as context.
#[derive(Clone, Default)]
pub struct SettingsInEffect(pub Arc<[SettingsPart]>);

/// A password that was made in the request before, to be shown once; the server gives it as an extension of the request.
#[derive(Clone)]
pub struct FreshPassword(pub Fresh);

impl FreshPassword {
    /// That of this request.
    pub fn take() -> Option<Fresh> {
        use_context::<Parts>()?.extensions.get::<FreshPassword>().map(|fresh| fresh.0.clone())
    }
}

/// That of this request.
pub fn fresh_token() -> Option<String> {
    use_context::<Parts>()?.extensions.get::<FreshToken>().map(|token| token.0.clone())
}

/// What proof is asked of the caller before what decides who may come in.
pub fn own_proof() -> OwnProof {
    let parts = use_context::<Parts>();
    let typed = parts.as_ref().and_then(|parts| parts.extensions.get::<PasswordTyped>()?.0);
    if use_context::<Caseload>().is_some_and(|caseload| caseload::reauthentication::is_recent(typed, caseload.now())) {
        return OwnProof::Nothing;
    }
    let opened = parts.as_ref().and_then(|parts| parts.extensions.get::<SignedInBy>()?.0.clone());
    let page = parts.as_ref().and_then(|parts| parts.uri.path_and_query()).map(ToString::to_string).unwrap_or_default();
    match opened {
        Some((name, with)) => OwnProof::SignInAgain {
            address: url::with(&format!("/login/with/{name}"), &[("again", "1"), ("next", page.as_str())]),
            with,
        },
        None => OwnProof::Password,
    }
}

/// Whether the caller has yet to choose a password of their own.
fn must_change() -> bool {
    use_context::<Parts>().is_some_and(|parts| parts.extensions.get::<Actor>().is_some_and(|actor| actor.must_change))
}

/// Whether the caller has to set up a second factor before anything else.
fn must_set_up() -> bool {
    use_context::<Parts>().is_some_and(|parts| parts.extensions.get::<MustSetUp>().is_some())
}

/// Who is asked for a code.
fn asked_for_code() -> Option<AskedForCode> {
    use_context::<Parts>()?.extensions.get::<AskedForCode>().cloned()
}

/// Whether devices keep passkeys for this Docket.
fn passkeys_are_possible() -> bool {
    use_context::<Caseload>().is_some_and(|caseload| caseload.passkeys().are_possible())
}

/// The recovery codes of this request.
pub fn fresh_recovery_codes() -> Option<FreshRecoveryCodes> {
    use_context::<Parts>()?.extensions.get::<FreshRecoveryCodes>().cloned()
}

/// The key that the caller can put into an app.
pub async fn offered_app() -> Option<NewApp> {
    let OfferedApp(offered) = use_context::<OfferedApp>()?;
    offered().await
}

/// The username in a form that has just been refused.
fn typed_username() -> String {
    let parts = use_context::<Parts>();
    let typed = parts.as_ref().and_then(|parts| parts.extensions.get::<TypedUsername>());
    typed.map(|typed| typed.0.clone()).unwrap_or_default()
}

/// By how many minutes the clock of a typed start is behind UTC: as the browser said, or without scripts by the time zone in the
/// actor's settings.
pub fn offset(actor: &Actor, start: &str, said: &str) -> String {
    let (Some(zone), Ok(Some(typed)), "") = (actor.time_zone(), draft::start(start, ""), said) else {
        return said.to_owned();
    };
    let at = zone.from_local_datetime(&typed.naive_utc()).earliest();
    at.map(|at| (-at.offset().fix().local_minus_utc() / 60).to_string()).unwrap_or_default()
}

/// Submits what was composed.
pub async fn submit(
    caseload: &Caseload,
    actor: &Actor,
    draft: &Draft,
    confirmed: &ConfirmForm,
) -> Result<Submitted, Refusal> {
    let draft = Draft { offset: offset(actor, &draft.start, &draft.offset), ..draft.clone() };
    let submission = match draft.submission(confirmed) {
        Ok(submission) => submission,
        // A start that is over is told with whatever else is wrong.
        Err(wrong) => {
            return answer(Err(match refused_start(caseload, &draft).await {
                Some(late) => wrong.and(late),
                None => wrong,
            }));
        }
    };
    match draft.fields() {
        Some(_) => answer(caseload.actions().submit(actor, submission).await),
        None => answer(caseload.tasks().undo(actor, answer(draft.undone())?, submission).await),
    }
}

/// Why nothing can be submitted to start then.
pub async fn refused_start(caseload: &Caseload, draft: &Draft) -> Option<Problem> {
    let start = draft.start().ok().flatten()?;
    answer_part(caseload.actions().check_start(start).await).err().map(|refusal| refusal.0)
}

/// The domain and the signed-in caller. A page asked for by nobody is sent to the sign-in page.
pub fn caller() -> Result<(Caseload, Actor), Refusal> {
    let parts = use_context::<Parts>();
    let actor = parts.as_ref().and_then(|parts| parts.extensions.get::<Actor>().cloned());
    match (use_context::<Caseload>(), actor) {
        (Some(caseload), Some(actor)) => Ok((caseload, actor)),
        (None, _) => Err(refused(Problem::unavailable())),
        (_, None) => {
            match parts {
                Some(parts) if !is_call(&parts) => redirect::to_login(&parts),
                _ => return Err(refused(Problem::signed_out())),
            }
            Err(Refusal(Problem::signed_out()))
        }
    }
}

/// The answer of a use case that the page is about: its refusal is the page's status, too.
pub fn answer<T, E: Into<Problem>>(result: Result<T, E>) -> Result<T, Refusal> {
    result.map_err(refused)
}

/// The answer of a use case that is only a part of the page, which stands without it.
pub fn answer_part<T, E: Into<Problem>>(result: Result<T, E>) -> Result<T, Refusal> {
    match use_context::<Parts>() {
        Some(parts) if is_call(&parts) => answer(result),
        _ => result.map_err(|error| Refusal(noted(error.into()))),
    }
}

/// The refusal, put down for the audit: what a form or a part of a page is refused is no status of the answer.
fn noted(problem: Problem) -> Problem {
    if let Some(actor) = use_context::<Parts>().as_ref().and_then(|parts| parts.extensions.get::<Actor>()) {
        actor.via.refused.note(&problem);
    }
    problem
}

/// An id from an address or a form; what is none is not to be found.
pub fn id<Id: FromStr>(text: &str, what: &str) -> Result<Id, Refusal> {
    answer(text.parse().map_err(|_| Problem::not_found(what)))
}

/// A refusal, with its status on the response.
fn refused(error: impl Into<Problem>) -> Refusal {
    let problem = noted(error.into());
    // A plain form is answered by a redirect back to its page; another status would leave the browser on an empty one.
    if !use_context::<Parts>().is_some_and(|parts| is_call(&parts) && redirect::wants_page(&parts.headers)) {
        set_status(problem.status);
    }
    Refusal(problem)
}

fn is_call(parts: &Parts) -> bool {
    parts.uri.path().starts_with("/api/page/")
}

fn set_status(status: u16) {
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), StatusCode::from_u16(status)) {
        response.set_status(status);
    }
}
