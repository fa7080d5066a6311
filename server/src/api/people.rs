//! `GET /api/1/people`: the list, with the filters of the page.

use axum::{Json, extract::State};
use caseload::Caseload;
use model::{Page, PeopleQuery, PersonRow};

use super::input::Pairs;
use crate::{actor::Caller, problem::Answer};

pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Json<Page<PersonRow>>> {
    let query = PeopleQuery::from_pairs(pairs.iter())?;
    Ok(Json(caseload.people(&actor, &query).await?))
}
