//! `/api/1/approvals`: tasks that wait for a second person, and the decision on them.

use axum::{Json as Reply, extract::State};
use caseload::Caseload;
use model::{
    Problem, TaskId,
    approval::{Approval, ApprovalDetail},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::input::Body, api::input::Json, api::input::MaySend, api::input::MaybeJson, api::input::Named,
    api::input::Pairs, api::input::unknown, api::openapi::answers::Always, api::openapi::answers::Refused,
    api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// Which of them are asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ApprovalFilter {
    /// Those that wait for the caller's decision, or those that the caller has asked for; `waiting` when absent.
    #[param(inline)]
    pub scope: Option<ApprovalScope>,
}

/// Whose they are.
#[derive(Clone, Copy, Default, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ApprovalScope {
    #[default]
    Waiting,
    Asked,
}

/// Lists tasks that need a second person, at most 100.
///
/// Those that wait for the caller are in the order in which they expire, those that the caller has asked for latest first.
#[utoipa::path(
    get,
    path = "/api/1/approvals",
    operation_id = "listApprovals",
    tag = "Tasks",
    params(ApprovalFilter),
    responses((status = 200, description = "All of them.", body = Vec<Approval>), Always, Refused<400>)
)]
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Reply<Vec<Approval>>> {
    let found = match scope(&pairs)? {
        ApprovalScope::Waiting => caseload.approvals().waiting(&actor).await?,
        ApprovalScope::Asked => caseload.approvals().asked(&actor).await?,
    };
    Ok(Reply(found))
}

fn scope(pairs: &Pairs) -> Result<ApprovalScope, Problem> {
    let mut scope = ApprovalScope::default();
    for (key, value) in pairs.iter() {
        scope = match (key, value) {
            ("scope", "waiting") => ApprovalScope::Waiting,
            ("scope", "asked") => ApprovalScope::Asked,
            ("scope", _) => return Err(Problem::field("scope", "invalid", "Choose waiting or asked.")),
            (other, _) => return Err(unknown(other)),
        };
    }
    Ok(scope)
}

/// One of them, with its numbers as it was asked for and as they are now.
#[utoipa::path(
    get,
    path = "/api/1/approvals/{id}",
    operation_id = "showApproval",
    tag = "Tasks",
    params(Named<TaskId>),
    responses((status = 200, description = "What is asked.", body = ApprovalDetail), Always, Refused<404>)
)]
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
) -> Answer<Reply<ApprovalDetail>> {
    Ok(Reply(caseload.approvals().get(&actor, id).await?))
}

/// What whoever approves has seen, and says.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approve {
    /// How many people would change by what the caller has seen: `willChangeNow`. As it was asked for when left out.
    will_change: Option<u64>,
    #[schema(max_length = 500)]
    note: Option<String>,
}

impl Body for Approve {
    const BY: MaySend = MaySend::WhoDecides;
}

/// Approves a task that somebody else has submitted. It starts once it is due.
#[utoipa::path(
    post,
    path = "/api/1/approvals/{id}/approve",
    operation_id = "approveTask",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Option<Approve>,
    responses(
        (status = 200, description = "It is approved.", body = ApprovalDetail),
        Always, WithBody, Refused<404>, Refused<409>, Refused<422>
    )
)]
pub async fn approve(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    MaybeJson(given): MaybeJson<Approve>,
) -> Answer<Reply<ApprovalDetail>> {
    caseload.approvals().approve(&actor, id, given.will_change, given.note.as_deref()).await?;
    Ok(Reply(caseload.approvals().get(&actor, id).await?))
}

/// Why a task is declined.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decline {
    /// What its owner is told.
    #[schema(value_type = String, required = true, max_length = 500)]
    note: Option<String>,
}

impl Body for Decline {
    const BY: MaySend = MaySend::WhoDecides;
}

/// Declines a task that somebody else has submitted. It does not run.
#[utoipa::path(
    post,
    path = "/api/1/approvals/{id}/decline",
    operation_id = "declineTask",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Decline,
    responses(
        (status = 200, description = "It is declined.", body = ApprovalDetail),
        Always, WithBody, Refused<404>, Refused<409>
    )
)]
pub async fn decline(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    Json(given): Json<Decline>,
) -> Answer<Reply<ApprovalDetail>> {
    caseload.approvals().decline(&actor, id, given.note.as_deref()).await?;
    Ok(Reply(caseload.approvals().get(&actor, id).await?))
}
