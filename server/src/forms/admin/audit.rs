//! `GET /admin/audit.csv`: the audit trail as a file, in constant memory. Taking it away is an entry of its own.

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use caseload::{
    Caseload,
    spreadsheet::{BOM, Spreadsheet},
};
use futures::{StreamExt, stream};
use model::{
    Problem,
    admin::{AuditEntry, AuditQuery},
    parameters::MAX_LIMIT,
};

use crate::{api::input::Pairs, api::input::flag, auth::actor::Caller, web::headers::attachment, web::problem::Answer};

const COLUMNS: [&str; 13] = [
    "id",
    "date",
    "actorId",
    "actorName",
    "action",
    "label",
    "objectKind",
    "objectId",
    "reason",
    "credential",
    "source",
    "times",
    "detail",
];

/// All that matches the query.
pub async fn file(State(caseload): State<Caseload>, Caller(actor): Caller, pairs: Pairs) -> Answer<Response> {
    let bom = pairs.iter().find(|(key, _)| *key == "bom").map_or(Ok(true), |(key, value)| flag(key, value))?;
    let pairs = pairs.iter().filter(|(key, _)| *key != "bom");
    let query = AuditQuery { limit: Some(MAX_LIMIT), after: None, ..AuditQuery::from_pairs(pairs)? };
    let first = caseload.audit().list_part(&actor, &query).await?;
    caseload.audit().note_export(&actor, &query).await?;
    let mark = stream::iter(bom.then(|| Ok(BOM.as_bytes().to_vec())));
    let pages = stream::try_unfold(Some((first, true)), move |at| {
        let (caseload, actor, query) = (caseload.clone(), actor.clone(), query.clone());
        async move {
            let Some(((entries, next), is_first)) = at else { return Ok(None) };
            let text = lines(&entries, is_first)?;
            let next = match next {
                Some(after) => {
                    let query = AuditQuery { after: Some(after), ..query };
                    Some((caseload.audit().list_part(&actor, &query).await.map_err(Problem::from)?, false))
                }
                None => None,
            };
            Ok::<_, anyhow::Error>(Some((text, next)))
        }
    });
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, [attachment("audit.csv")], Body::from_stream(mark.chain(pages))).into_response())
}

fn lines(entries: &[AuditEntry], heading: bool) -> anyhow::Result<Vec<u8>> {
    let mut sheet = Spreadsheet::new();
    if heading {
        sheet.line(COLUMNS)?;
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
            entry.credential.clone().unwrap_or_default(),
            entry.source.clone().unwrap_or_default(),
            entry.times.to_string(),
            entry.detail.to_string(),
        ];
        sheet.line(cells)?;
    }
    Ok(sheet.finish()?)
}
