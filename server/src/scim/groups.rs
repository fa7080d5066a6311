//! `/scim/v2/Groups`.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use caseload::directory::{GroupEdit, GroupTerm};
use model::{DirectoryGroupId, Problem};

use super::{
    answers::{answer, made, resource, tag},
    asked::{FromDirectory, NamedResource, SentBody},
    filter::{self, FilterTerm},
    group_shape::{SentGroup, ShownGroup},
    list::{self, Listed},
    patch::PatchRequest,
    patch_group::edits,
};
use crate::{state::AppState, web::problem::Answer};

const WHAT: &str = "group";
const MEMBERS: &str = "members";

/// `GET /scim/v2/Groups`.
pub async fn list(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    listed: Listed,
) -> Answer<Response> {
    let terms = listed.terms.into_iter().map(term).collect::<Result<Vec<_>, Problem>>()?;
    let with_members = listed.shown.shows(MEMBERS);
    let found = state.caseload.directory().groups(&caller, &terms, listed.slice, with_members).await?;
    let shown = |group| listed.shown.of(ShownGroup::new(group, &state.http.public_url));
    Ok(list::list(found.total, listed.slice, found.items.into_iter().map(shown).collect()))
}

/// `POST /scim/v2/Groups`.
pub async fn add(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    SentBody(sent): SentBody<SentGroup>,
) -> Answer<Response> {
    let (name, members) = sent.read()?;
    let group = state.caseload.directory().add_group(&caller, &state.directory, name, members).await?;
    let (path, version) = (format!("/scim/v2/Groups/{}", group.id), group.version);
    Ok(made(&ShownGroup::new(group, &state.http.public_url), version, &path))
}

/// `GET /scim/v2/Groups/{id}`.
pub async fn show(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<DirectoryGroupId>,
    listed: Listed,
) -> Answer<Response> {
    let with_members = listed.shown.shows(MEMBERS);
    let group = state.caseload.directory().group(&caller, named.id(WHAT)?, with_members).await?;
    let version = group.version;
    let body = listed.shown.of(ShownGroup::new(group, &state.http.public_url));
    Ok(([(axum::http::header::ETAG, tag(version))], answer(StatusCode::OK, &body)).into_response())
}

/// `PUT /scim/v2/Groups/{id}`.
pub async fn replace(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<DirectoryGroupId>,
    SentBody(sent): SentBody<SentGroup>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    let (name, members) = sent.read()?;
    let edits =
        vec![GroupEdit::Name(name.display_name), GroupEdit::ExternalId(name.external_id), GroupEdit::Members(members)];
    state.caseload.directory().change_group(&caller, &state.directory, of, edits).await?;
    let group = state.caseload.directory().group(&caller, of.0, true).await?;
    let version = group.version;
    Ok(resource(&ShownGroup::new(group, &state.http.public_url), version))
}

/// `PATCH /scim/v2/Groups/{id}`: answered without the group, which may be large.
pub async fn patch(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<DirectoryGroupId>,
    SentBody(sent): SentBody<PatchRequest>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    let edits = edits(sent.steps(state.directory.bounds.operations)?)?;
    state.caseload.directory().change_group(&caller, &state.directory, of, edits).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `DELETE /scim/v2/Groups/{id}`.
pub async fn remove(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<DirectoryGroupId>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    state.caseload.directory().remove_group(&caller, &state.directory, of).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn term(term: FilterTerm) -> Result<GroupTerm, Problem> {
    Ok(match term.attribute.as_str() {
        "id" => term.value.parse().map_or(GroupTerm::NoGroup, GroupTerm::Id),
        "displayname" => GroupTerm::DisplayName(term.value),
        "externalid" => GroupTerm::ExternalId(term.value),
        "members" | "members.value" => term.value.parse().map_or(GroupTerm::NoGroup, GroupTerm::Member),
        other => return Err(filter::unknown(other, "id, displayName, externalId and members")),
    })
}
