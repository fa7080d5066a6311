//! The queue as a whole: its health, its history, its failures, and the audit trail.

use axum::{Json as Reply, extract::State};
use caseload::Caseload;
use model::{
    Page, Problem,
    admin::{AuditEntry, AuditQuery, Failures, QueueHealth, QueueHistory, Window},
    enum_words::Reader,
    parameters,
};

use crate::{
    api::input::Pairs, api::input::unknown, api::openapi::answers::Always, api::openapi::answers::Refused,
    api::openapi::params::AuditFilters, api::openapi::params::CourseFilters, api::openapi::params::Paging,
    api::openapi::params::WithinWindow, auth::actor::Caller, web::problem::Answer,
};

/// Says how the queue is, and what needs a look.
#[utoipa::path(
    get,
    path = "/api/1/admin/queue",
    operation_id = "showQueue",
    tag = "Administration",
    responses((status = 200, description = "Its state.", body = QueueHealth), Always, Refused<403>)
)]
pub async fn show(State(caseload): State<Caseload>, Caller(actor): Caller) -> Answer<Reply<QueueHealth>> {
    Ok(Reply((*caseload.admin().health(&actor).await?).clone()))
}

/// Says what was done and how long it took.
#[utoipa::path(
    get,
    path = "/api/1/admin/queue/history",
    operation_id = "showQueueHistory",
    tag = "Administration",
    params(CourseFilters),
    responses((status = 200, description = "Its history.", body = QueueHistory), Always, Refused<400>, Refused<403>)
)]
pub async fn history(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<QueueHistory>> {
    let (mut window, mut kind) = (Window::Hour, None);
    for (key, value) in pairs.iter() {
        match key {
            "window" => window = parameters::parse(key, value, Reader::Program)?,
            "kind" => kind = Some(value),
            other => return Err(unknown(other).into()),
        }
    }
    Ok(Reply(caseload.admin().history(&actor, window, kind).await?))
}

/// Lists failures by their cause.
#[utoipa::path(
    get,
    path = "/api/1/admin/failures",
    operation_id = "listFailures",
    tag = "Administration",
    params(WithinWindow),
    responses((status = 200, description = "By cause.", body = Failures), Always, Refused<400>, Refused<403>)
)]
pub async fn failures(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Failures>> {
    let mut window = Window::Day;
    for (key, value) in pairs.iter() {
        match key {
            "window" => window = parameters::parse(key, value, Reader::Program)?,
            other => return Err(unknown(other).into()),
        }
    }
    Ok(Reply(caseload.admin().failures(&actor, window).await?))
}

/// Lists the audit trail, latest first.
#[utoipa::path(
    get,
    path = "/api/1/admin/audit",
    operation_id = "listAudit",
    tag = "Administration",
    params(AuditFilters, Paging),
    responses((status = 200, description = "One page.", body = Page<AuditEntry>), Always, Refused<400>, Refused<403>)
)]
pub async fn audit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Page<AuditEntry>>> {
    let query: Result<AuditQuery, Problem> = AuditQuery::from_pairs(pairs.iter());
    Ok(Reply(caseload.audit().list(&actor, &query?).await?))
}
