//! `GET /api/1/tasks/{id}/people`: the ledger of a task, a page at a time, or all of it as CSV for whoever accepts that.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload, spreadsheet};
use futures::stream;
use model::{
    LedgerQuery, LedgerRow, Page, Problem,
    filter::{self, MAX_LIMIT},
};
use uuid::Uuid;

use super::{
    input::{Pairs, TaskId, unknown},
    openapi::{
        answers::{Always, Refused},
        params::{LedgerFilters, Paging},
    },
};
use crate::{actor::Caller, problem::Answer};

const COLUMNS: [&str; 10] =
    ["position", "personId", "schoolId", "name", "outcome", "reason", "reasonLabel", "before", "after", "date"];

/// The ledger of a task: a line for each person.
///
/// A page of it as JSON, or all of it for whoever accepts `text/csv`.
#[utoipa::path(
    get,
    path = "/api/1/tasks/{id}/people",
    operation_id = "listPeopleOfTask",
    tag = "Tasks",
    params(TaskId, LedgerFilters, Paging),
    responses(
        (
            status = 200,
            description = "A page, or the whole.",
            content((Page<LedgerRow> = "application/json"), (String = "text/csv"))
        ),
        Always, Refused<400>, Refused<404>
    )
)]
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer<Response> {
    let query = query(&pairs)?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    match accept.is_some_and(|accept| accept.contains("text/csv")) {
        true => whole(caseload, actor, id, query).await,
        false => Ok(Json(caseload.ledger(&actor, id, &query).await?).into_response()),
    }
}

/// `GET /tasks/{id}/people.csv`: the same for people, who follow a link.
pub async fn file(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    TaskId(id): TaskId,
    pairs: Pairs,
) -> Answer<Response> {
    whole(caseload, actor, id, query(&pairs)?).await
}

fn query(pairs: &Pairs) -> Result<LedgerQuery, Problem> {
    let mut query = LedgerQuery::default();
    for (key, value) in pairs.iter() {
        match key {
            "outcome" => query.outcome = Some(filter::parse(key, value)?),
            "reason" => query.reason = Some(value.to_owned()),
            "limit" => query.limit = Some(filter::limit(value)?),
            "after" => query.after = Some(value.to_owned()),
            other => return Err(unknown(other)),
        }
    }
    Ok(query)
}

/// All pages, one after the other, in constant memory. The first is read before the answer begins, so that whatever is
/// refused is refused with its status; a later failure breaks the download off, which clients notice.
async fn whole(caseload: Caseload, actor: Actor, id: Uuid, query: LedgerQuery) -> Answer<Response> {
    let query = LedgerQuery { limit: Some(MAX_LIMIT), ..query };
    let first = caseload.ledger_part(&actor, id, &query).await?;
    let pages = stream::try_unfold(Some((first, true)), move |at| {
        let (caseload, actor, query) = (caseload.clone(), actor.clone(), query.clone());
        async move {
            let Some(((rows, next), is_first)) = at else { return Ok(None) };
            let text = lines(&rows, is_first)?;
            let next = match next {
                Some(after) => {
                    let query = LedgerQuery { after: Some(after), ..query };
                    Some((caseload.ledger_part(&actor, id, &query).await.map_err(Problem::from)?, false))
                }
                None => None,
            };
            Ok::<_, anyhow::Error>(Some((text, next)))
        }
    });
    let name = format!("attachment; filename=\"task-{id}.csv\"");
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, Body::from_stream(pages)).into_response())
}

fn lines(rows: &[LedgerRow], heading: bool) -> anyhow::Result<Vec<u8>> {
    let mut writer = spreadsheet::writer();
    if heading {
        writer.write_record(COLUMNS)?;
    }
    for row in rows {
        let cells = [
            row.position.to_string(),
            row.person_id.map(|id| id.to_string()).unwrap_or_default(),
            row.school_id.clone().unwrap_or_default(),
            row.name.clone(),
            row.outcome.map(|outcome| outcome.to_string()).unwrap_or_default(),
            row.reason.clone().unwrap_or_default(),
            row.reason_label.clone().unwrap_or_default(),
            row.before.clone().unwrap_or_default(),
            row.after.clone().unwrap_or_default(),
            row.date.map(|date| date.to_rfc3339()).unwrap_or_default(),
        ];
        writer.write_record(cells.iter().map(|cell| spreadsheet::inert(cell).into_owned()))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}
