//! Kinds, locks and schedules.

use app::pages::done::Done;
use axum::{
    Form,
    extract::{Path, State},
    response::Response,
};
use caseload::{Caseload, Result};
use serde::Deserialize;

use crate::{auth::actor::Caller, web::redirect};
use crate::{forms::admin::Reasoned, forms::admin::back, forms::admin::done};

/// `POST /admin/kinds/{kind}/pause`.
pub async fn pause_kind(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let paused = caseload.admin().pause_kind(&actor, &kind, &given.reason).await;
    changed(
        paused,
        "/admin/processes",
        &format!("/admin/kinds/{}", redirect::segment(&kind)),
        Done::Paused,
        &given.reason,
    )
}

/// `POST /admin/kinds/{kind}/resume`.
pub async fn resume_kind(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let resumed = caseload.admin().resume_kind(&actor, &kind, &given.reason).await;
    changed(
        resumed,
        "/admin/processes",
        &format!("/admin/kinds/{}", redirect::segment(&kind)),
        Done::Resumed,
        &given.reason,
    )
}

/// Which lock, and why.
#[derive(Deserialize)]
pub struct ReleaseForm {
    #[serde(default)]
    name: String,
    /// When it was taken that was shown, RFC 3339.
    #[serde(default)]
    taken: String,
    #[serde(default)]
    reason: String,
}

/// `POST /admin/locks/free`. The page that asks has an address of its own, or a browser could not load it.
pub async fn release_lock(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Form(given): Form<ReleaseForm>,
) -> Response {
    let page = redirect::with_query("/admin/locks/release", &[("name", given.name.as_str())]);
    let taken = match model::admin::instant("taken", &given.taken, false) {
        Ok(taken) => taken,
        Err(problem) => return back(&page, problem, &given.reason),
    };
    match caseload.admin().release_lock(&actor, &given.name, Some(taken), &given.reason).await {
        Ok(true) => done("/admin/locks", Done::LockReleased),
        Ok(false) => done("/admin/locks", Done::LockNotHeld),
        Err(error) => back(&page, error, &given.reason),
    }
}

/// `POST /admin/schedules/{name}/run`.
pub async fn run_schedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let soon = caseload.admin().run_schedule(&actor, &name, &given.reason).await;
    changed(
        soon,
        "/admin/schedules",
        &format!("/admin/schedules/{}", redirect::segment(&name)),
        Done::RunsSoon,
        &given.reason,
    )
}

/// `POST /admin/schedules/{name}/pause`.
pub async fn pause_schedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let paused = caseload.admin().pause_schedule(&actor, &name, true, &given.reason).await;
    changed(
        paused,
        "/admin/schedules",
        &format!("/admin/schedules/{}", redirect::segment(&name)),
        Done::Paused,
        &given.reason,
    )
}

/// `POST /admin/schedules/{name}/resume`.
pub async fn resume_schedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let resumed = caseload.admin().pause_schedule(&actor, &name, false, &given.reason).await;
    changed(
        resumed,
        "/admin/schedules",
        &format!("/admin/schedules/{}", redirect::segment(&name)),
        Done::Resumed,
        &given.reason,
    )
}

fn changed(changed: Result<bool>, list: &str, page: &str, what: Done, reason: &str) -> Response {
    match changed {
        Ok(true) => done(list, what),
        Ok(false) => done(list, Done::Unchanged),
        Err(error) => back(page, error, reason),
    }
}
