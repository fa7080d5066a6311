//! `/api/1/tasks`: the list, one task, and what can be done with it.

use axum::{
    Json as Reply,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload};
use model::{
    Cursor, Instant, Page, Preview, Problem, TaskDetail, TaskId, TaskQuery, TaskRow, TaskState, enum_words::Reader,
    parameters, task::TaskScope,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::Common, api::actions::submission::accepted, api::actions::submission::address,
    api::actions::submission::confirmed, api::input::Body, api::input::IdempotencyKey, api::input::Json,
    api::input::MaySend, api::input::MaybeJson, api::input::Named, api::input::Pairs, api::input::unknown,
    api::openapi::answers::Accepted, api::openapi::answers::Acted, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody, api::openapi::bodies::Confirmation,
    api::openapi::params::Paging, api::openapi::params::TaskFilters,
};
use crate::{auth::actor::Caller, web::problem::Answer, web::redirect};

/// Lists tasks, latest first.
#[utoipa::path(
    get,
    path = "/api/1/tasks",
    operation_id = "listTasks",
    tag = "Tasks",
    params(TaskFilters, Paging),
    responses((status = 200, description = "One page.", body = Page<TaskRow>), Always, Refused<400>, Refused<403>)
)]
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Page<TaskRow>>> {
    Ok(Reply(caseload.tasks().list(&actor, &query(&pairs)?).await?))
}

/// One task.
#[utoipa::path(
    get,
    path = "/api/1/tasks/{id}",
    operation_id = "showTask",
    tag = "Tasks",
    params(Named<TaskId>),
    responses((status = 200, description = "The task.", body = TaskDetail), Always, Refused<404>)
)]
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Reply<TaskDetail>> {
    Ok(Reply(caseload.tasks().get(&actor, id).await?))
}

/// Lets a task go on that failed.
///
/// The answer is the task that goes on, which is another one when only the failed are treated again.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/retry",
    operation_id = "retryTask",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Option<Retry>,
    responses(Accepted, Always, Refused<400>, Refused<403>, Refused<404>, Refused<409>)
)]
pub async fn retry(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    MaybeJson(given): MaybeJson<Retry>,
) -> Answer<Response> {
    Ok(accepted(caseload.tasks().retry(&actor, id, given.reason.as_deref()).await?))
}

/// Why a task is retried.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// Required for the task of somebody else.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

impl Body for Retry {
    const BY: MaySend = MaySend::OfTask(None);
}

/// Puts back what a task changed.
///
/// The answer is the task that does it.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/undo",
    operation_id = "undoTask",
    tag = "Tasks",
    params(Named<TaskId>, IdempotencyKey),
    request_body = Option<Confirmation>,
    responses(Accepted, Always, WithBody, Refused<404>, Refused<409>, Refused<422>)
)]
pub async fn undo(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    key: IdempotencyKey,
    MaybeJson(common): MaybeJson<Common>,
) -> Answer<Response> {
    if common.target.is_some() {
        return Err(unknown("target").into());
    }
    Ok(accepted(caseload.tasks().undo(&actor, id, confirmed(common, key)?).await?))
}

/// Says what putting back would do.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/undo/preview",
    operation_id = "previewUndo",
    tag = "Tasks",
    params(Named<TaskId>),
    responses(
        (status = 200, description = "What would happen.", body = Preview),
        Always, Refused<403>, Refused<404>, Refused<409>
    )
)]
pub async fn preview_undo(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Reply<Preview>> {
    Ok(Reply(caseload.tasks().preview_undo(&actor, id).await?))
}

/// When a task is to start.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    #[schema(value_type = DateTime)]
    trigger_date: Instant,
}

impl Body for Start {
    const BY: MaySend = MaySend::OfTask(None);
}

/// Moves the start of a task that has not begun.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/reschedule",
    operation_id = "rescheduleTask",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Start,
    responses(Acted, Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn reschedule(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    Json(start): Json<Start>,
) -> Answer<Response> {
    caseload.tasks().reschedule(&actor, id, start.trigger_date).await?;
    acted(&caseload, &actor, id).await
}

/// Why an email is sent before its time.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SendNow {
    /// Required for the email of somebody else.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

impl Body for SendNow {
    const BY: MaySend = MaySend::OfTask(None);
}

/// Sends a held email now, without the rest of its hold.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/send-now",
    operation_id = "sendTaskNow",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Option<SendNow>,
    responses(Acted, Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn send_now(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    MaybeJson(given): MaybeJson<SendNow>,
) -> Answer<Response> {
    caseload.tasks().send_now(&actor, id, given.reason.as_deref()).await?;
    acted(&caseload, &actor, id).await
}

/// Why a task is given up.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Abandon {
    /// Required for the task of somebody else.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

impl Body for Abandon {
    const BY: MaySend = MaySend::OfTask(None);
}

/// Gives a task up for good; what it has done stays done.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/abandon",
    operation_id = "abandonTask",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Option<Abandon>,
    responses(Acted, Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn abandon(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    MaybeJson(given): MaybeJson<Abandon>,
) -> Answer<Response> {
    caseload.tasks().abandon(&actor, id, given.reason.as_deref()).await?;
    acted(&caseload, &actor, id).await
}

/// 202, with the task as it stands now and its address.
async fn acted(caseload: &Caseload, actor: &Actor, id: TaskId) -> Answer<Response> {
    let task = Reply(caseload.tasks().get(actor, id).await?);
    Ok((StatusCode::ACCEPTED, redirect::at(&address(id)), task).into_response())
}

/// `status` takes the stored states, `state` those that people see.
fn query(pairs: &Pairs) -> Result<TaskQuery, Problem> {
    let mut query = TaskQuery::default();
    for (key, value) in pairs.iter() {
        match key {
            "status" => {
                let status = parameters::parse(key, value, Reader::Program)?;
                query.states.extend(TaskState::ALL.iter().filter(|state| state.stored().contains(&status)));
            }
            "state" => query.states.push(parameters::parse(key, value, Reader::Program)?),
            "kind" => query.kind = Some(value.to_owned()),
            "scope" => query.scope = scope(value)?,
            "limit" => query.limit = Some(parameters::limit(value)?),
            "after" => query.after = Some(Cursor::read(value)?),
            other => return Err(unknown(other)),
        }
    }
    query.states.sort();
    query.states.dedup();
    Ok(query)
}

fn scope(value: &str) -> Result<TaskScope, Problem> {
    match value {
        "mine" => Ok(TaskScope::Mine),
        "all" => Ok(TaskScope::All),
        _ => Err(Problem::field("scope", "invalid", "Choose mine or all.")),
    }
}
