//! `/api/1/people/program-status`: sets the program status of many, or says what that would do.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, ChangeReason, Preview, Problem, ProgramStatus, TaskKind};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input::IdempotencyKey, api::openapi::answers::Accepted, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// What is to be set.
#[derive(Deserialize, ToSchema)]
#[schema(as = ChangeProgramStatus)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusChangeBody {
    #[serde(default)]
    #[schema(value_type = ProgramStatus, required = true)]
    program_status: String,
    /// Required for `NON_PARTICIPATING`, and refused for the others.
    #[schema(value_type = Option<ChangeReason>)]
    change_reason: Option<String>,
    /// Shown in each person's history.
    #[schema(max_length = 500)]
    comment: Option<String>,
}

impl ActionBody for StatusChangeBody {
    const KIND: TaskKind = TaskKind::ProgramStatus;
}

impl TryFrom<StatusChangeBody> for Action {
    type Error = Problem;

    fn try_from(change: StatusChangeBody) -> Result<Action, Problem> {
        let (reason, comment) = (change.change_reason.unwrap_or_default(), change.comment.unwrap_or_default());
        Action::program_status(&change.program_status, &reason, &comment)
    }
}

type StatusSubmit = SubmitRequest<StatusChangeBody>;
type StatusPreview = PreviewRequest<StatusChangeBody>;

/// Sets the program status of many people.
#[utoipa::path(
    post,
    path = "/api/1/people/program-status",
    operation_id = "setProgramStatus",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = StatusSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: StatusSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says what a change of the program status would do.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/program-status/preview",
    operation_id = "previewProgramStatus",
    tag = "Actions",
    request_body = StatusPreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: StatusPreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}
