//! Bodies of submits and previews: what every action takes is told from what one action takes, and each part knows its fields.

use axum::{
    Json,
    extract::{FromRef, FromRequest, Request},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use caseload::Caseload;
use model::{
    Action, Instant, PreviewToken, Problem, Submission, Submitted, Target, TaskId, TaskKind, submission::SubmitSource,
};
use serde::{Deserialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::{api::input, api::input::Body, api::input::IdempotencyKey, api::input::MaySend, api::target::TargetBody};
use crate::{config::http::BODY_LIMIT, web::problem::ProblemAnswer, web::redirect};

/// The members that all submits have in common.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Common {
    /// Required without `previewToken`.
    pub target: Option<TargetBody>,
    /// The preview that was looked at: the people that it counted are treated. Above 10,000, and for exports, whoever matches then,
    /// unless their number has changed too much.
    pub preview_token: Option<PreviewToken>,
    /// How many people there are; this or `previewToken` is required to change more than 1,000, and to write to
    /// anybody.
    pub confirm_total: Option<u64>,
    /// When to start; at once when absent.
    #[schema(value_type = Option<DateTime>)]
    pub trigger_date: Option<Instant>,
    /// Why, for the task and its history.
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

impl Body for Common {
    /// By itself it is about a task: to put it back.
    const BY: MaySend = MaySend::OfTask(None);
    /// Its target may be a list of people.
    const LONGEST: usize = BODY_LIMIT;
}

const COMMON: [&str; 5] = ["target", "previewToken", "confirmTotal", "triggerDate", "reason"];

/// The one that previews have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewTarget {
    #[schema(required = true, nullable = false)]
    target: Option<TargetBody>,
}

/// A submit of an action whose own members are a `T`.
pub struct SubmitRequest<T> {
    pub action: T,
    pub common: Common,
}

/// A preview of such an action.
pub struct PreviewRequest<T> {
    pub action: T,
    pub target: Target,
}

/// What is chosen for an action of a kind. Without the right to that, its body is not even read.
pub trait ActionBody: DeserializeOwned {
    const KIND: TaskKind;
}

impl<T: ActionBody, S: Send + Sync> FromRequest<S> for SubmitRequest<T>
where
    Caseload: FromRef<S>,
{
    type Rejection = ProblemAnswer;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemAnswer> {
        let (common, action) = parts::<S, Common, T>(request, state, &COMMON).await?;
        Ok(SubmitRequest { action, common })
    }
}

impl<T: ActionBody, S: Send + Sync> FromRequest<S> for PreviewRequest<T>
where
    Caseload: FromRef<S>,
{
    type Rejection = ProblemAnswer;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemAnswer> {
        let (whom, action) = parts::<S, PreviewTarget, T>(request, state, &["target"]).await?;
        Ok(PreviewRequest { action, target: required(whom.target)? })
    }
}

/// The body in two: these members, and those of the action.
async fn parts<S, C, T>(request: Request, state: &S, members: &[&str]) -> Result<(C, T), ProblemAnswer>
where
    S: Send + Sync,
    Caseload: FromRef<S>,
    C: DeserializeOwned,
    T: ActionBody,
{
    input::parted(request, state, MaySend::Those(T::KIND.right()), BODY_LIMIT, members).await
}

/// An action with what surrounds it.
pub fn submission(action: Action, common: Common, key: IdempotencyKey) -> Result<Submission, Problem> {
    Ok(Submission { action: Some(action), ..confirmed(common, key)? })
}

/// What surrounds an action that is known otherwise.
pub fn confirmed(common: Common, key: IdempotencyKey) -> Result<Submission, Problem> {
    let target = common.target.map(Target::try_from).transpose()?;
    Ok(Submission {
        // Whoever writes `everyone` has said so in so many words.
        everyone_confirmed: target == Some(Target::Everyone),
        target,
        preview: common.preview_token,
        confirm_total: common.confirm_total.map(countable).transpose()?,
        trigger_date: common.trigger_date,
        reason: common.reason,
        idempotency_key: key.0,
        ..Submission::from_source(SubmitSource::Program)
    })
}

/// A number of people, unless it is above what a total can be.
fn countable(total: u64) -> Result<u64, Problem> {
    let above = |_| Problem::field("confirmTotal", "out_of_range", "confirmTotal is above any number of people.");
    i64::try_from(total).map(|_| total).map_err(above)
}

/// 202, with the address of the task.
pub fn accepted(task: Submitted) -> Response {
    (StatusCode::ACCEPTED, redirect::at(&address(task.id)), Json(task)).into_response()
}

/// Where a task is.
pub fn address(task: TaskId) -> String {
    format!("/api/1/tasks/{task}")
}

/// The target of a request that has no meaning without one.
fn required(target: Option<TargetBody>) -> Result<Target, Problem> {
    let missing = || Problem::field("target", "required", "Say whom: personIds, schoolIds, query or everyone.");
    target.ok_or_else(missing)?.try_into()
}
