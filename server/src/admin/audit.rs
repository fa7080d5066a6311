//! `GET /admin/audit.csv`: the audit trail as a file, in constant memory. Taking it away is an entry of its own.

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use caseload::{Caseload, spreadsheet};
use futures::stream;
use model::{
    Problem,
    admin::{AuditEntry, AuditQuery},
    filter::MAX_LIMIT,
};

use crate::{actor::Caller, api::input::Pairs, problem::Answer};

const COLUMNS: [&str; 10] =
    ["id", "date", "actorId", "actorName", "action", "label", "objectKind", "objectId", "reason", "detail"];

/// All that matches the query.
pub async fn file(State(caseload): State<Caseload>, Caller(actor): Caller, pairs: Pairs) -> Answer<Response> {
    let query = AuditQuery { limit: Some(MAX_LIMIT), after: None, ..AuditQuery::from_pairs(pairs.iter())? };
    let first = caseload.audit_part(&actor, &query).await?;
    caseload.audit_exported(&actor, &query).await?;
    let pages = stream::try_unfold(Some((first, true)), move |at| {
        let (caseload, actor, query) = (caseload.clone(), actor.clone(), query.clone());
        async move {
            let Some(((entries, next), is_first)) = at else { return Ok(None) };
            let text = lines(&entries, is_first)?;
            let next = match next {
                Some(after) => {
                    let query = AuditQuery { after: Some(after), ..query };
                    Some((caseload.audit_part(&actor, &query).await.map_err(Problem::from)?, false))
                }
                None => None,
            };
            Ok::<_, anyhow::Error>(Some((text, next)))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(pages)).into_response())
}

fn lines(entries: &[AuditEntry], heading: bool) -> anyhow::Result<Vec<u8>> {
    let mut writer = spreadsheet::writer();
    if heading {
        writer.write_record(COLUMNS)?;
    }
    for entry in entries {
        let cells = [
            entry.id.to_string(),
            entry.date.to_rfc3339(),
            entry.actor_id.map(|id| id.to_string()).unwrap_or_default(),
            entry.actor_name.clone().unwrap_or_default(),
            entry.action.clone(),
            entry.label.clone(),
            entry.object_kind.clone(),
            entry.object_id.clone().unwrap_or_default(),
            entry.reason.clone().unwrap_or_default(),
            entry.detail.to_string(),
        ];
        writer.write_record(cells.iter().map(|cell| spreadsheet::inert(cell).into_owned()))?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}
