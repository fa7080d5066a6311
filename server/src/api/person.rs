//! `/api/1/people/{id}`: one person, the history of their program status, and the tasks that treated them.

use axum::{Json, extract::State, http::StatusCode};
use caseload::Caseload;
use model::person::{PersonDetail, PersonTask, StatusPeriod};

use serde::Deserialize;

use super::input::{self, PersonId};
use crate::{actor::Caller, problem::Answer};

/// `GET`.
pub async fn show(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PersonId(id): PersonId,
) -> Answer<Json<PersonDetail>> {
    Ok(Json(caseload.person(&actor, id).await?))
}

/// `GET …/program-status`: latest first.
pub async fn program_status(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PersonId(id): PersonId,
) -> Answer<Json<Vec<StatusPeriod>>> {
    Ok(Json(caseload.status_history(&actor, id).await?))
}

/// `GET …/tasks`: latest first.
pub async fn tasks(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PersonId(id): PersonId,
) -> Answer<Json<Vec<PersonTask>>> {
    Ok(Json(caseload.tasks_of_person(&actor, id).await?))
}

/// Why somebody is erased, and the school id once more.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Erasure {
    #[serde(default)]
    school_id: String,
    reason: Option<String>,
}

/// `POST …/erase`, for administrators: 204.
pub async fn erase(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PersonId(id): PersonId,
    input::Json(given): input::Json<Erasure>,
) -> Answer<StatusCode> {
    caseload.erase(&actor, id, &given.school_id, given.reason.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}
