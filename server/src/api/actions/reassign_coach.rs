//! `/api/1/people/reassign-coach`: gives many people another coach, or says what that would do.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, Preview, Problem, TaskKind};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input::IdempotencyKey, api::openapi::answers::Accepted, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// To whom.
#[derive(Deserialize, ToSchema)]
#[schema(as = ReassignPeople)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reassign {
    /// A person with an account.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required = true)]
    coach_id: String,
}

impl ActionBody for Reassign {
    const KIND: TaskKind = TaskKind::ReassignCoach;
}

impl TryFrom<Reassign> for Action {
    type Error = Problem;

    fn try_from(reassign: Reassign) -> Result<Action, Problem> {
        Action::reassign_coach(&reassign.coach_id)
    }
}

type ReassignSubmit = SubmitRequest<Reassign>;
type ReassignPreview = PreviewRequest<Reassign>;

/// Gives many people another coach.
#[utoipa::path(
    post,
    path = "/api/1/people/reassign-coach",
    operation_id = "reassignCoach",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = ReassignSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: ReassignSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says what another coach would change.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/reassign-coach/preview",
    operation_id = "previewReassignCoach",
    tag = "Actions",
    request_body = ReassignPreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: ReassignPreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}
