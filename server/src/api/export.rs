//! `/api/1/people/export`: writes people to a file; and `/api/1/tasks/{id}/file`, which gives it, whole or in part.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::Caseload;
use model::{Action, Preview, Problem, Sort};
use serde::Deserialize;

use super::{
    input::{IdempotencyKey, TaskId},
    submission::{Order, Question, accepted, submission},
};
use crate::{actor::Caller, problem::Answer, range};

/// What is to be in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    #[serde(default)]
    format: String,
    columns: Option<Vec<String>>,
    sort: Option<Sort>,
}

impl TryFrom<Wanted> for Action {
    type Error = Problem;

    fn try_from(wanted: Wanted) -> Result<Action, Problem> {
        let columns = wanted.columns.as_ref().map(|columns| columns.iter().map(String::as_str));
        Action::export(&wanted.format, columns, wanted.sort)
    }
}

/// `POST`: 202 and the task.
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    Order { action, common }: Order<Wanted>,
) -> Answer<Response> {
    Ok(accepted(caseload.submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// `POST …/preview`: how many would be in it.
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Question { action, target }: Question<Wanted>,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.preview(&actor, action.try_into()?, target).await?))
}

/// `GET /api/1/tasks/{id}/file`, and `/files/{id}` for people: 200, or 206 with one range of it.
pub async fn file(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    headers: HeaderMap,
) -> Answer<Response> {
    let download = caseload.download(&actor, id).await?;
    let (size, tag) = (download.file.size, format!("\"{}\"", download.file.sha256));
    let Ok(part) = range::wanted(&headers, size, &tag) else { return Ok(range::unsatisfiable(size)) };
    let content = caseload.read_download(&actor, id, &download, part.clone().unwrap_or(0..size)).await?;
    let attachment = format!("attachment; filename=\"{}\"", download.name);
    let head = [
        (header::CONTENT_TYPE, download.file.format.media_type().to_owned()),
        (header::CONTENT_DISPOSITION, attachment),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::ETAG, tag),
    ];
    Ok((head, range::answer(part, size, Body::from_stream(content))).into_response())
}
