//! `GET /api/1/people`: the list, with the filters of the page.

use axum::{Json, extract::State};
use caseload::Caseload;
use model::{Page, PeopleFilter, PeopleQuery, PersonRow, Sort, enum_words::Reader};

use crate::{
    api::input::Pairs, api::openapi::answers::Always, api::openapi::answers::Refused, api::openapi::params::Paging,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// Lists people within reach, a page at a time.
#[utoipa::path(
    get,
    path = "/api/1/people",
    operation_id = "listPeople",
    tag = "People",
    params(
        PeopleFilter,
        ("extra.NAME" = inline(Option<Vec<String>>), Query, description = "The values of the extra field NAME, each as it was imported."),
        ("sort" = inline(Option<Sort>), Query, description = "By name when absent."),
        Paging,
    ),
    responses((status = 200, description = "One page.", body = Page<PersonRow>), Always, Refused<400>)
)]
pub async fn list(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    pairs: Pairs,
) -> Answer<Json<Page<PersonRow>>> {
    let query = PeopleQuery::from_pairs(pairs.iter(), Reader::Program)?;
    Ok(Json(caseload.people().list(&actor, &query).await?))
}
