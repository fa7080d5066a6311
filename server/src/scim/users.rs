//! `/scim/v2/Users`.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use caseload::directory::{DirectoryUser, UserTerm};
use model::{AccountId, Problem};

use super::{
    answers::{made, resource},
    asked::{FromDirectory, NamedResource, SentBody},
    filter::{self, FilterTerm},
    list::{self, Listed},
    patch::PatchRequest,
    patch_user::patched,
    user_shape::{SentUser, ShownUser},
};
use crate::{state::AppState, web::problem::Answer};

const WHAT: &str = "user";

/// `GET /scim/v2/Users`.
pub async fn list(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    listed: Listed,
) -> Answer<Response> {
    let terms = listed.terms.into_iter().map(term).collect::<Result<Vec<_>, Problem>>()?;
    let found = state.caseload.directory().users(&caller, &terms, listed.slice).await?;
    let shown = |user| listed.shown.of(ShownUser::new(user, &state.http.public_url));
    Ok(list::list(found.total, listed.slice, found.items.into_iter().map(shown).collect()))
}

/// `POST /scim/v2/Users`.
pub async fn add(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    SentBody(sent): SentBody<SentUser>,
) -> Answer<Response> {
    let user = state.caseload.directory().add_user(&caller, &state.directory, sent.person(true)?).await?;
    let (path, version) = (format!("/scim/v2/Users/{}", user.id), user.version);
    Ok(made(&ShownUser::new(user, &state.http.public_url), version, &path))
}

/// `GET /scim/v2/Users/{id}`.
pub async fn show(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<AccountId>,
) -> Answer<Response> {
    Ok(shown(&state, state.caseload.directory().user(&caller, named.id(WHAT)?).await?))
}

/// `PUT /scim/v2/Users/{id}`.
pub async fn replace(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<AccountId>,
    SentBody(sent): SentBody<SentUser>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    let replaced = state.caseload.directory().change_user(&caller, &state.directory, of, |was| sent.person(was.active));
    Ok(shown(&state, replaced.await?))
}

/// `PATCH /scim/v2/Users/{id}`.
pub async fn patch(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<AccountId>,
    SentBody(sent): SentBody<PatchRequest>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    let steps = sent.steps(state.directory.bounds.operations)?;
    let changed = state.caseload.directory().change_user(&caller, &state.directory, of, |was| patched(was, steps));
    Ok(shown(&state, changed.await?))
}

/// `DELETE /scim/v2/Users/{id}`.
pub async fn remove(
    State(state): State<AppState>,
    FromDirectory(caller): FromDirectory,
    named: NamedResource<AccountId>,
) -> Answer<Response> {
    let of = named.version(WHAT)?;
    state.caseload.directory().remove_user(&caller, &state.directory, of).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn shown(state: &AppState, user: DirectoryUser) -> Response {
    let version = user.version;
    resource(&ShownUser::new(user, &state.http.public_url), version)
}

fn term(term: FilterTerm) -> Result<UserTerm, Problem> {
    Ok(match term.attribute.as_str() {
        "id" => term.value.parse().map_or(UserTerm::Nobody, UserTerm::Id),
        "username" => UserTerm::UserName(term.value),
        "externalid" => UserTerm::ExternalId(term.value),
        "displayname" => UserTerm::DisplayName(term.value),
        other => return Err(filter::unknown(other, "id, userName, externalId and displayName")),
    })
}
