//! Processes, kinds, locks and schedules: what there is, and what administrators do to it, each time with a reason.

use axum::{
    Json as Reply,
    extract::{Path, State},
    http::StatusCode,
};
use caseload::Caseload;
use model::{
    Conflict, Instant, Problem,
    account::Right,
    admin::{KindInfo, LockInfo, ProcessInfo, ScheduleInfo},
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::input::Body, api::input::Json, api::input::MaySend, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody, auth::actor::Caller, web::problem::Answer,
};

/// Lists the processes that run tasks.
#[utoipa::path(
    get,
    path = "/api/1/admin/processes",
    operation_id = "listProcesses",
    tag = "Administration",
    responses((status = 200, description = "All of them.", body = Vec<ProcessInfo>), Always, Refused<403>)
)]
pub async fn processes(State(caseload): State<Caseload>, Caller(actor): Caller) -> Answer<Reply<Vec<ProcessInfo>>> {
    Ok(Reply(caseload.admin().processes(&actor).await?))
}

/// Lists the kinds of task, and which are paused.
#[utoipa::path(
    get,
    path = "/api/1/admin/kinds",
    operation_id = "listKinds",
    tag = "Administration",
    responses((status = 200, description = "All of them.", body = Vec<KindInfo>), Always, Refused<403>)
)]
pub async fn kinds(State(caseload): State<Caseload>, Caller(actor): Caller) -> Answer<Reply<Vec<KindInfo>>> {
    Ok(Reply(caseload.admin().kinds(&actor).await?))
}

/// Lists the scheduler locks, those that are held first.
#[utoipa::path(
    get,
    path = "/api/1/admin/locks",
    operation_id = "listLocks",
    tag = "Administration",
    responses((status = 200, description = "All of them.", body = Vec<LockInfo>), Always, Refused<403>)
)]
pub async fn locks(State(caseload): State<Caseload>, Caller(actor): Caller) -> Answer<Reply<Vec<LockInfo>>> {
    Ok(Reply(caseload.admin().locks(&actor).await?))
}

/// Lists Docket's recurring jobs.
#[utoipa::path(
    get,
    path = "/api/1/admin/schedules",
    operation_id = "listSchedules",
    tag = "Administration",
    responses((status = 200, description = "All of them.", body = Vec<ScheduleInfo>), Always, Refused<403>)
)]
pub async fn schedules(State(caseload): State<Caseload>, Caller(actor): Caller) -> Answer<Reply<Vec<ScheduleInfo>>> {
    Ok(Reply(caseload.admin().schedules(&actor).await?))
}

/// Why it is done.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    #[schema(max_length = 500)]
    reason: String,
}

impl Body for Operation {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// Keeps tasks of a kind from starting.
#[utoipa::path(
    post,
    path = "/api/1/admin/kinds/{kind}/pause",
    operation_id = "pauseKind",
    tag = "Administration",
    params(("kind" = String, Path, description = "The kind, such as `export`.")),
    request_body = Operation,
    responses((status = 204, description = "Paused."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn pause(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let paused = caseload.admin().pause_kind(&actor, &kind, &given.reason).await?;
    done(paused, Conflict::ALREADY_PAUSED, "Tasks of this kind are already paused.")
}

/// Lets tasks of a kind start again.
#[utoipa::path(
    post,
    path = "/api/1/admin/kinds/{kind}/resume",
    operation_id = "resumeKind",
    tag = "Administration",
    params(("kind" = String, Path, description = "The kind, such as `export`.")),
    request_body = Operation,
    responses((status = 204, description = "They start again."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn resume(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(kind): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let resumed = caseload.admin().resume_kind(&actor, &kind, &given.reason).await?;
    done(resumed, Conflict::NOT_PAUSED, "Tasks of this kind are not paused.")
}

/// Why a lock is released.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Release {
    #[schema(max_length = 500)]
    reason: String,
    /// When it was taken, as the list says: refused if somebody else has taken it since.
    #[serde(default)]
    #[schema(value_type = Option<DateTime>)]
    locked_date: Option<Instant>,
}

impl Body for Release {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// Takes a lock from whoever holds it.
#[utoipa::path(
    post,
    path = "/api/1/admin/locks/{name}/release",
    operation_id = "releaseLock",
    tag = "Administration",
    params(("name" = String, Path, description = "The lock.")),
    request_body = Release,
    responses((status = 204, description = "Released."), Always, WithBody, Refused<409>)
)]
pub async fn release(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Json(given): Json<Release>,
) -> Answer<StatusCode> {
    let released = caseload.admin().release_lock(&actor, &name, given.locked_date, &given.reason).await?;
    done(released, Conflict::NOT_HELD, "Nobody holds this lock.")
}

/// Makes a schedule run within seconds, beside its usual times.
#[utoipa::path(
    post,
    path = "/api/1/admin/schedules/{name}/run",
    operation_id = "runSchedule",
    tag = "Administration",
    params(("name" = String, Path, description = "The schedule.")),
    request_body = Operation,
    responses((status = 204, description = "It runs within seconds."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn run(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let done_so = caseload.admin().run_schedule(&actor, &name, &given.reason).await?;
    done(done_so, Conflict::PAUSED, "The schedule is paused or turned off.")
}

/// Keeps a schedule from running.
#[utoipa::path(
    post,
    path = "/api/1/admin/schedules/{name}/pause",
    operation_id = "pauseSchedule",
    tag = "Administration",
    params(("name" = String, Path, description = "The schedule.")),
    request_body = Operation,
    responses((status = 204, description = "Paused."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn pause_schedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let done_so = caseload.admin().pause_schedule(&actor, &name, true, &given.reason).await?;
    done(done_so, Conflict::ALREADY_PAUSED, "The schedule is already paused.")
}

/// Lets a schedule run again.
#[utoipa::path(
    post,
    path = "/api/1/admin/schedules/{name}/resume",
    operation_id = "resumeSchedule",
    tag = "Administration",
    params(("name" = String, Path, description = "The schedule.")),
    request_body = Operation,
    responses((status = 204, description = "It runs again."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn resume_schedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(name): Path<String>,
    Json(given): Json<Operation>,
) -> Answer<StatusCode> {
    let done_so = caseload.admin().pause_schedule(&actor, &name, false, &given.reason).await?;
    done(done_so, Conflict::NOT_PAUSED, "The schedule is not paused.")
}

fn done(done: bool, conflict: Conflict, otherwise: &str) -> Answer<StatusCode> {
    if done { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::conflict(conflict, otherwise).into()) }
}
