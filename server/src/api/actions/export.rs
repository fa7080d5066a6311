//! `/api/1/people/export`: writes people to a file; and `/api/1/tasks/{id}/file`, which gives it, whole or in part.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::Caseload;
use model::{
    Action, Preview, Problem, TaskId, TaskKind,
    action::{ColumnGroup, ExportFormat, ExportSort},
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input::IdempotencyKey, api::input::Named, api::openapi::answers::Accepted, api::openapi::answers::Always,
    api::openapi::answers::File, api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, forms::settings::back, web::headers, web::problem::Answer, web::range};

/// What is to be in the file.
#[derive(Deserialize, ToSchema)]
#[schema(as = ExportPeople)]
#[serde(deny_unknown_fields)]
pub struct ExportBody {
    #[serde(default)]
    #[schema(value_type = ExportFormat, required = true)]
    format: String,
    /// School id and name are always there; contact, program, studies and coach when absent.
    #[schema(value_type = Option<Vec<ColumnGroup>>)]
    columns: Option<Vec<String>>,
    /// By name when absent.
    sort: Option<ExportSort>,
    /// Whether a CSV file begins with a byte order mark, which Excel wants; `true` when absent.
    bom: Option<bool>,
}

impl ActionBody for ExportBody {
    const KIND: TaskKind = TaskKind::Export;
}

impl TryFrom<ExportBody> for Action {
    type Error = Problem;

    fn try_from(wanted: ExportBody) -> Result<Action, Problem> {
        let columns = wanted.columns.as_ref().map(|columns| columns.iter().map(String::as_str));
        let mut action = Action::export(&wanted.format, columns, wanted.sort)?;
        if let (Action::Export(export), Some(bom)) = (&mut action, wanted.bom) {
            export.bom = bom;
        }
        Ok(action)
    }
}

type ExportSubmit = SubmitRequest<ExportBody>;
type ExportPreview = PreviewRequest<ExportBody>;

/// Writes many people to a file.
#[utoipa::path(
    post,
    path = "/api/1/people/export",
    operation_id = "exportPeople",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = ExportSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: ExportSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says how many people would be in a file.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/export/preview",
    operation_id = "previewExport",
    tag = "Actions",
    request_body = ExportPreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: ExportPreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}

/// `GET /files/{id}`: the same for people, who follow a link. When there is no file, the page of the task says why.
pub async fn for_people(
    state: State<Caseload>,
    caller: Caller,
    id: Named<TaskId>,
    headers: HeaderMap,
) -> Answer<Response> {
    let task = id.0;
    let reads_pages = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    match file(state, caller, id, headers.clone()).await {
        Err(refusal) if reads_pages.is_some_and(|accept| accept.contains("text/html")) => {
            Ok(back(&format!("/tasks/{task}"), refusal.0))
        }
        answer => answer,
    }
}

/// The file that an export has made, for whoever asked for it.
///
/// A download that was cut off asks for the rest. People have it at `/files/{id}`.
#[utoipa::path(
    get,
    path = "/api/1/tasks/{id}/file",
    operation_id = "downloadFile",
    tag = "Tasks",
    params(
        Named<TaskId>,
        ("Range" = Option<String>, Header, nullable = false, description = "One range, such as `bytes=1000-`."),
        ("If-Range" = Option<String>, Header, nullable = false, description = "The `ETag` of the file that it is of."),
    ),
    responses(File, Always, Refused<404>, Refused<410>, Refused<416>)
)]
pub async fn file(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    asked: HeaderMap,
) -> Answer<Response> {
    let download = caseload.tasks().download(&actor, id).await?;
    let (size, tag) = (download.file.size, format!("\"{}\"", download.file.sha256));
    let Ok(part) = range::wanted(&asked, size, &tag) else { return Ok(range::unsatisfiable(size)) };
    let content = caseload.tasks().read_download(&actor, id, &download, part.clone().unwrap_or(0..size)).await?;
    let head = [
        (header::CONTENT_TYPE, download.file.format.media_type().to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::ETAG, tag),
    ];
    Ok((head, [headers::attachment(&download.name)], range::answer(part, size, Body::from_stream(content)))
        .into_response())
}
