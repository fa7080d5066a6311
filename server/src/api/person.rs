//! `/api/1/people/{id}`: one person, the history of their program status, and the tasks that treated them.

use axum::{Json, extract::State, http::StatusCode};
use caseload::Caseload;
use model::{
    PersonId,
    account::Right,
    person::{PersonDetail, PersonTask, StatusPeriod},
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::input, api::input::Body, api::input::MaySend, api::input::Named, api::openapi::answers::Always,
    api::openapi::answers::Refused, api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// One person.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}",
    operation_id = "showPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "The person.", body = PersonDetail), Always, Refused<404>)
)]
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<PersonDetail>> {
    Ok(Json(caseload.people().get(&actor, id).await?))
}

/// The history of a person's program status, latest first.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}/program-status",
    operation_id = "listProgramStatusOfPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "All periods.", body = Vec<StatusPeriod>), Always, Refused<404>)
)]
pub async fn program_status(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<Vec<StatusPeriod>>> {
    Ok(Json(caseload.people().status_history(&actor, id).await?))
}

/// The tasks that treated a person or will, latest first.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}/tasks",
    operation_id = "listTasksOfPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "All of them.", body = Vec<PersonTask>), Always, Refused<404>)
)]
pub async fn tasks(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<Vec<PersonTask>>> {
    Ok(Json(caseload.people().tasks_of(&actor, id).await?))
}

/// Why somebody is erased, and the school id once more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Erasure {
    #[serde(default)]
    #[schema(required = true)]
    school_id: String,
    #[schema(value_type = String, required = true, max_length = 500)]
    reason: Option<String>,
}

impl Body for Erasure {
    const BY: MaySend = MaySend::Those(Right::Administrator);
}

/// Erases a person for good, everywhere; for administrators.
#[utoipa::path(
    post,
    path = "/api/1/people/{id}/erase",
    operation_id = "erasePerson",
    tag = "Administration",
    params(Named<PersonId>),
    request_body = Erasure,
    responses((status = 204, description = "Erased."), Always, WithBody, Refused<404>)
)]
pub async fn erase(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
    input::Json(given): input::Json<Erasure>,
) -> Answer<StatusCode> {
    caseload.people().erase(&actor, id, &given.school_id, given.reason.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}
