//! `/api/1/people/watch`: puts many on the caller's watch list, or takes them off it.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, Preview, Problem, TaskKind, action::WatchOperation};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input::IdempotencyKey, api::openapi::answers::Accepted, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// Which of the two.
#[derive(Deserialize, ToSchema)]
#[schema(as = WatchPeople)]
#[serde(deny_unknown_fields)]
pub struct WatchBody {
    #[serde(default)]
    #[schema(value_type = WatchOperation, required = true)]
    operation: String,
}

impl ActionBody for WatchBody {
    const KIND: TaskKind = TaskKind::Watch;
}

impl TryFrom<WatchBody> for Action {
    type Error = Problem;

    fn try_from(change: WatchBody) -> Result<Action, Problem> {
        Action::watch(&change.operation)
    }
}

type WatchSubmit = SubmitRequest<WatchBody>;
type WatchPreview = PreviewRequest<WatchBody>;

/// Puts many people on the caller's watch list, or takes them off it.
#[utoipa::path(
    post,
    path = "/api/1/people/watch",
    operation_id = "watchPeople",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = WatchSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: WatchSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says what a change of the watch list would do.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/watch/preview",
    operation_id = "previewWatch",
    tag = "Actions",
    request_body = WatchPreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: WatchPreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}
