//! `/api/1/people/program-status`: sets the program status of many, or says what that would do.

use axum::{Json as Reply, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, Instant, Preview, Problem};
use serde::Deserialize;
use uuid::Uuid;

use super::{
    input::{IdempotencyKey, Json},
    submission::{Common, accepted, required, submission},
    target::TargetBody,
};
use crate::{actor::Caller, problem::Answer};

/// A change, and how it is to be submitted.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    #[serde(default)]
    program_status: String,
    #[serde(default)]
    change_reason: Option<String>,
    #[serde(default)]
    comment: Option<String>,
    target: Option<TargetBody>,
    preview_token: Option<Uuid>,
    confirm_total: Option<u64>,
    trigger_date: Option<Instant>,
    reason: Option<String>,
}

/// A change that is only looked at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    #[serde(default)]
    program_status: String,
    #[serde(default)]
    change_reason: Option<String>,
    #[serde(default)]
    comment: Option<String>,
    target: Option<TargetBody>,
}

/// `POST`: 202 and the task.
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    Json(change): Json<Change>,
) -> Answer<Response> {
    let action = action(&change.program_status, &change.change_reason, &change.comment)?;
    let Change { target, preview_token, confirm_total, trigger_date, reason, .. } = change;
    let common = Common { target, preview_token, confirm_total, trigger_date, reason };
    Ok(accepted(caseload.submit(&actor, submission(action, common, key)?).await?))
}

/// `POST …/preview`: what would happen, and the token to submit it with.
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Json(question): Json<Question>,
) -> Answer<Reply<Preview>> {
    let action = action(&question.program_status, &question.change_reason, &question.comment)?;
    Ok(Reply(caseload.preview(&actor, action, required(question.target)?).await?))
}

fn action(status: &str, reason: &Option<String>, comment: &Option<String>) -> Result<Action, Problem> {
    Action::program_status(status, reason.as_deref().unwrap_or_default(), comment.as_deref().unwrap_or_default())
}
