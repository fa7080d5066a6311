//! `/api/1/people/early-alert`: puts an early alert on record for many people, or says what that would do; and
//! `/api/1/people/{id}/early-alerts`.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, PersonId, Preview, Problem, TaskKind, action::AlertReason, person::Alert};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input::IdempotencyKey, api::input::Named, api::openapi::answers::Accepted, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// What was noticed.
#[derive(Deserialize, ToSchema)]
#[schema(as = RaiseEarlyAlert)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Raise {
    #[serde(default)]
    #[schema(value_type = AlertReason, required = true)]
    alert_reason: String,
    /// Shown with the alert; required for `OTHER`.
    #[schema(max_length = 500)]
    comment: Option<String>,
}

impl ActionBody for Raise {
    const KIND: TaskKind = TaskKind::EarlyAlert;
}

impl TryFrom<Raise> for Action {
    type Error = Problem;

    fn try_from(raise: Raise) -> Result<Action, Problem> {
        Action::early_alert(&raise.alert_reason, &raise.comment.unwrap_or_default())
    }
}

type RaiseSubmit = SubmitRequest<Raise>;
type RaisePreview = PreviewRequest<Raise>;

/// Puts an early alert on record for many people.
#[utoipa::path(
    post,
    path = "/api/1/people/early-alert",
    operation_id = "raiseEarlyAlert",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = RaiseSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: RaiseSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says what an early alert would do.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/early-alert/preview",
    operation_id = "previewEarlyAlert",
    tag = "Actions",
    request_body = RaisePreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: RaisePreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}

/// The early alerts on a person, latest first.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}/early-alerts",
    operation_id = "listEarlyAlertsOfPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "The latest hundred.", body = Vec<Alert>), Always, Refused<404>)
)]
pub async fn of_person(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<Vec<Alert>>> {
    Ok(Json(caseload.people().early_alerts(&actor, id).await?))
}
