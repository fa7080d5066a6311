//! What every submit takes beside its action, and how every submit is answered.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use model::{Action, Instant, Problem, Submission, Submitted, Target, action::Door};
use uuid::Uuid;

use super::{input::IdempotencyKey, target::TargetBody};

/// The members that all submits have in common.
#[derive(Debug, Default)]
pub struct Common {
    pub target: Option<TargetBody>,
    pub preview_token: Option<Uuid>,
    pub confirm_total: Option<u64>,
    pub trigger_date: Option<Instant>,
    pub reason: Option<String>,
}

/// An action with what surrounds it.
pub fn submission(action: Action, common: Common, key: IdempotencyKey) -> Result<Submission, Problem> {
    let target = common.target.map(Target::try_from).transpose()?;
    Ok(Submission {
        action: Some(action),
        // Whoever writes `everyone` has said so in so many words.
        everyone_confirmed: target == Some(Target::Everyone),
        target,
        preview: common.preview_token,
        confirm_total: common.confirm_total,
        trigger_date: common.trigger_date,
        reason: common.reason,
        idempotency_key: key.0,
        door: Door::Program,
    })
}

/// 202, with the address of the task.
pub fn accepted(task: Submitted) -> Response {
    let at = format!("/api/1/tasks/{}", task.id);
    (StatusCode::ACCEPTED, [(header::LOCATION, at)], Json(task)).into_response()
}

/// The target of a request that has no meaning without one.
pub fn required(target: Option<TargetBody>) -> Result<Target, Problem> {
    let missing = || Problem::field("target", "required", "Say whom: personIds, schoolIds, query or everyone.");
    target.ok_or_else(missing)?.try_into()
}
