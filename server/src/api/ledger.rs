//! `GET /api/1/tasks/{id}/people`: the ledger of a task, a page at a time, or all of it as CSV for whoever accepts that.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use caseload::{
    Actor, Caseload,
    spreadsheet::{BOM, Spreadsheet},
};
use futures::{StreamExt, stream};
use model::{
    Cursor, LedgerQuery, LedgerRow, Page, Problem, TaskId,
    enum_words::Reader,
    parameters::{self, MAX_LIMIT},
};

use crate::{
    api::input::Named, api::input::Pairs, api::input::flag, api::input::unknown, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::params::LedgerFilters, api::openapi::params::Paging,
};
use crate::{auth::actor::Caller, web::headers, web::problem::Answer};

/// The columns of a file, as programs know them.
const COLUMNS: Columns =
    ["position", "personId", "schoolId", "name", "outcome", "reason", "reasonLabel", "before", "after", "date"];

/// The same, as people read them.
const HEADINGS: Columns =
    ["Position", "Person ID", "School ID", "Name", "Outcome", "Reason code", "Reason", "Before", "After", "Time"];

type Columns = [&'static str; 10];

/// The ledger of a task: a line for each person.
///
/// A page of it as JSON, or all of it for whoever accepts `text/csv`.
#[utoipa::path(
    get,
    path = "/api/1/tasks/{id}/people",
    operation_id = "listPeopleOfTask",
    tag = "Tasks",
    params(Named<TaskId>, LedgerFilters, Paging),
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
    Named(id): Named<TaskId>,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer<Response> {
    let (query, bom) = query(&pairs)?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    match accept.is_some_and(|accept| accept.contains("text/csv")) {
        true => whole(caseload, actor, id, query, bom, COLUMNS).await,
        false => Ok(Json(caseload.tasks().ledger(&actor, id, &query).await?).into_response()),
    }
}

/// `GET /tasks/{id}/people.csv`: the same for people, who follow a link.
pub async fn file(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    pairs: Pairs,
) -> Answer<Response> {
    let (query, bom) = query(&pairs)?;
    whole(caseload, actor, id, query, bom, HEADINGS).await
}

/// Which lines, and whether a file of them begins with a byte order mark.
fn query(pairs: &Pairs) -> Result<(LedgerQuery, bool), Problem> {
    let (mut query, mut bom) = (LedgerQuery::default(), true);
    for (key, value) in pairs.iter() {
        match key {
            "outcome" => query.outcome = Some(parameters::parse(key, value, Reader::Program)?),
            "reason" => query.reason = Some(value.to_owned()),
            "sort" => query.sort = Some(parameters::parse(key, value, Reader::Program)?),
            "limit" => query.limit = Some(parameters::limit(value)?),
            "after" => query.after = Some(Cursor::read(value)?),
            "bom" => bom = flag(key, value)?,
            other => return Err(unknown(other)),
        }
    }
    Ok((query, bom))
}

/// All pages, one after the other, in constant memory. The first is read before the answer begins, so that whatever is
/// refused is refused with its status; a later failure breaks the download off, which clients notice.
async fn whole(
    caseload: Caseload,
    actor: Actor,
    id: TaskId,
    query: LedgerQuery,
    bom: bool,
    columns: Columns,
) -> Answer<Response> {
    // In the order of treatment: only then is each page found where the one before ends.
    let query = LedgerQuery { limit: Some(MAX_LIMIT), sort: None, ..query };
    let first = caseload.tasks().ledger_part(&actor, id, &query).await?;
    caseload.tasks().ledger_downloaded(&actor, id, &query).await?;
    let mark = stream::iter(bom.then(|| Ok(BOM.as_bytes().to_vec())));
    let pages = stream::try_unfold(Some((first, true)), move |at| {
        let (caseload, actor, query) = (caseload.clone(), actor.clone(), query.clone());
        async move {
            let Some(((rows, next), is_first)) = at else { return Ok(None) };
            let text = lines(&rows, is_first.then_some(columns))?;
            let next = match next {
                Some(after) => {
                    let query = LedgerQuery { after: Some(after), ..query };
                    Some((caseload.tasks().ledger_part(&actor, id, &query).await.map_err(Problem::from)?, false))
                }
                None => None,
            };
            Ok::<_, anyhow::Error>(Some((text, next)))
        }
    });
    let name = headers::attachment(&format!("task-{id}.csv"));
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    Ok(([kind, name], Body::from_stream(mark.chain(pages))).into_response())
}

fn lines(rows: &[LedgerRow], columns: Option<Columns>) -> anyhow::Result<Vec<u8>> {
    let mut sheet = Spreadsheet::new();
    if let Some(columns) = columns {
        sheet.line(columns)?;
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
        sheet.line(cells)?;
    }
    Ok(sheet.finish()?)
}
