//! `/api/1/people/{id}`: one person, the history of their program status, and the tasks that treated them.

use axum::{Json, extract::State};
use caseload::Caseload;
use model::person::{PersonDetail, PersonTask, StatusPeriod};

use super::input::PersonId;
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
