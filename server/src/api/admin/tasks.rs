//! All tasks, one of them with its inside, and verbs on many at once.

use axum::{Json as Reply, extract::State, http::StatusCode};
use caseload::{Actor, Caseload};
use model::{
    Instant, OperationToken, Page, Problem, TaskId, TaskState,
    account::Right,
    admin::{AdminTask, AdminTaskQuery, AdminTaskRow, BulkDone, BulkPreview, BulkVerb, Confirmed, Window},
    enum_words::Reader,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::input::Body, api::input::Json, api::input::MaySend, api::input::Named, api::input::Pairs,
    api::openapi::answers::Always, api::openapi::answers::Refused, api::openapi::answers::WithBody,
    api::openapi::params::AdminTaskFilters, api::openapi::params::Paging, auth::actor::Caller, web::problem::Answer,
};

/// Lists all tasks, latest first.
#[utoipa::path(
    get,
    path = "/api/1/admin/tasks",
    operation_id = "listAllTasks",
    tag = "Administration",
    params(AdminTaskFilters, Paging),
    responses((status = 200, description = "One page.", body = Page<AdminTaskRow>), Always, Refused<400>, Refused<403>)
)]
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Page<AdminTaskRow>>> {
    let query: Result<AdminTaskQuery, Problem> = AdminTaskQuery::from_pairs(pairs.iter(), Reader::Program);
    Ok(Reply(caseload.admin().task_list(&actor, &query?).await?))
}

/// Shows a task with its attempts, its errors, and why it does not run.
#[utoipa::path(
    get,
    path = "/api/1/admin/tasks/{id}",
    operation_id = "showTaskInside",
    tag = "Administration",
    params(Named<TaskId>),
    responses((status = 200, description = "The task.", body = AdminTask), Always, Refused<403>, Refused<404>)
)]
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Reply<AdminTask>> {
    Ok(Reply(caseload.admin().task(&actor, id).await?))
}

/// Why it is done.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PutBack {
    #[schema(max_length = 500)]
    reason: String,
}

impl Body for PutBack {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// Puts a stalled task back into the queue at once.
#[utoipa::path(
    post,
    path = "/api/1/admin/tasks/{id}/put-back",
    operation_id = "putTaskBack",
    tag = "Administration",
    params(Named<TaskId>),
    request_body = PutBack,
    responses((status = 204, description = "It is back in the queue."), Always, WithBody, Refused<404>, Refused<409>)
)]
pub async fn put_back(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    Json(given): Json<PutBack>,
) -> Answer<StatusCode> {
    caseload.admin().put_back(&actor, id, &given.reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which tasks: all that are of every filter that is given.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TaskFilterRequest {
    /// States as people see them.
    state: Vec<TaskState>,
    kind: Option<String>,
    /// A username.
    owner: Option<String>,
    /// Some attempt was made by this process.
    process: Option<String>,
    stalled: bool,
    /// The last attempt failed of this cause.
    cause: Option<String>,
    /// Some attempt failed with these words in its error.
    error: Option<String>,
    /// Submitted within this time.
    window: Option<Window>,
    /// Ended within this time.
    ended: Option<Window>,
    #[schema(value_type = Option<DateTime>)]
    since: Option<Instant>,
    #[schema(value_type = Option<DateTime>)]
    until: Option<Instant>,
    /// These and no others.
    #[schema(max_items = 200)]
    only: Option<Vec<TaskId>>,
}

impl TaskFilterRequest {
    fn query(self) -> Result<AdminTaskQuery, Problem> {
        AdminTaskQuery {
            states: self.state,
            kind: self.kind,
            owner: self.owner,
            process: self.process,
            stalled: self.stalled,
            cause: self.cause,
            error: self.error,
            window: self.window,
            ended: self.ended,
            since: self.since,
            until: self.until,
            only: self.only,
            ..AdminTaskQuery::default()
        }
        .checked()
    }
}

/// Which tasks.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TasksPreviewRequest {
    tasks: TaskFilterRequest,
}

impl Body for TasksPreviewRequest {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// What was previewed, and why it is done.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyPreviewRequest {
    /// Of the preview, which is kept for half an hour. What was changed since then is left alone.
    preview_token: OperationToken,
    /// All tasks there are, if nothing narrowed the preview: then this has to be said.
    #[serde(default)]
    everything: bool,
    #[schema(max_length = 500)]
    reason: String,
}

impl Body for ApplyPreviewRequest {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// Says what retrying all of these would do.
#[utoipa::path(
    post,
    path = "/api/1/admin/tasks/retry/preview",
    operation_id = "previewRetryTasks",
    tag = "Administration",
    request_body = TasksPreviewRequest,
    responses((status = 200, description = "What would happen.", body = BulkPreview), Always, WithBody)
)]
pub async fn preview_retry(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(asked): Json<TasksPreviewRequest>,
) -> Answer<Reply<BulkPreview>> {
    Ok(Reply(caseload.admin().preview_bulk(&actor, BulkVerb::Retry, &asked.tasks.query()?).await?))
}

/// Lets all of these that have failed go on.
#[utoipa::path(
    post,
    path = "/api/1/admin/tasks/retry",
    operation_id = "retryTasks",
    tag = "Administration",
    request_body = ApplyPreviewRequest,
    responses((status = 200, description = "Done.", body = BulkDone), Always, WithBody, Refused<409>)
)]
pub async fn retry(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(given): Json<ApplyPreviewRequest>,
) -> Answer<Reply<BulkDone>> {
    apply(&caseload, &actor, BulkVerb::Retry, given).await
}

/// Says what giving all of these up would do.
#[utoipa::path(
    post,
    path = "/api/1/admin/tasks/abandon/preview",
    operation_id = "previewAbandonTasks",
    tag = "Administration",
    request_body = TasksPreviewRequest,
    responses((status = 200, description = "What would happen.", body = BulkPreview), Always, WithBody)
)]
pub async fn preview_abandon(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(asked): Json<TasksPreviewRequest>,
) -> Answer<Reply<BulkPreview>> {
    Ok(Reply(caseload.admin().preview_bulk(&actor, BulkVerb::Abandon, &asked.tasks.query()?).await?))
}

/// Gives all of these up for good.
#[utoipa::path(
    post,
    path = "/api/1/admin/tasks/abandon",
    operation_id = "abandonTasks",
    tag = "Administration",
    request_body = ApplyPreviewRequest,
    responses((status = 200, description = "Done.", body = BulkDone), Always, WithBody, Refused<409>)
)]
pub async fn abandon(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(given): Json<ApplyPreviewRequest>,
) -> Answer<Reply<BulkDone>> {
    apply(&caseload, &actor, BulkVerb::Abandon, given).await
}

async fn apply(
    caseload: &Caseload,
    actor: &Actor,
    verb: BulkVerb,
    given: ApplyPreviewRequest,
) -> Answer<Reply<BulkDone>> {
    let confirmed = Confirmed { preview_token: given.preview_token, everything: given.everything };
    Ok(Reply(caseload.admin().apply_bulk(actor, verb, &confirmed, &given.reason).await?))
}
