//! The unreadable lines of an import as a file: `GET /admin/import/{id}/unreadable.csv` before it runs, and
//! `GET /tasks/{id}/unreadable.csv` once it has.

use axum::{body::Body, extract::State, http::header, response::IntoResponse, response::Response};
use caseload::{Caseload, import::UnreadableLines, spreadsheet::BOM};
use futures::{StreamExt, stream};
use model::TaskId;

use crate::{api::input::Named, auth::actor::Caller, web::headers::attachment, web::problem::Answer};

pub async fn prepared(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Response> {
    Ok(file(caseload.imports().unreadable(&actor, id).await?))
}

pub async fn of_task(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Response> {
    Ok(file(caseload.imports().failed_lines(&actor, id).await?))
}

/// Part by part, so that the whole is never in memory.
fn file(lines: UnreadableLines) -> Response {
    let parts = stream::try_unfold(lines, |mut lines| async move {
        let part = lines.next().await?;
        Ok::<_, caseload::Error>(part.map(|part| (part, lines)))
    });
    let mark = stream::iter([Ok(BOM.as_bytes().to_vec())]);
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, [attachment("unreadable-lines.csv")], Body::from_stream(mark.chain(parts))).into_response()
}
