//! The server's doors of the people page: each decodes, calls one use case, and answers.

use leptos::prelude::*;
use model::{FilterChoices, Page, PersonRow, SelectionView, person::ScopeCounts};

use crate::refusal::Refusal;

/// One page of people, for the query string of the page.
#[server(name = ReadPeople, prefix = "/api/page", endpoint = "people")]
pub async fn people(query: String) -> Result<Page<PersonRow>, Refusal> {
    use crate::{pages::people::address, server};
    let (caseload, actor) = server::caller()?;
    let query = server::answer(address::query(&query))?;
    server::answer(caseload.people(&actor, &query).await)
}

/// What the filters can be set to.
#[server(name = ReadFilterChoices, prefix = "/api/page", endpoint = "filter-choices")]
pub async fn filter_choices() -> Result<FilterChoices, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.filter_choices(&actor).await)
}

/// How many people are in each scope.
#[server(name = ReadScopeCounts, prefix = "/api/page", endpoint = "scope-counts")]
pub async fn scope_counts() -> Result<ScopeCounts, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.scope_counts(&actor).await)
}

/// A selection, with which of the people shown (comma-separated ids) are in it.
#[server(name = ReadSelection, prefix = "/api/page", endpoint = "selection")]
pub async fn selection(token: String, #[server(default)] shown: String) -> Result<SelectionView, Refusal> {
    use crate::{pages::people::address, server};
    let (caseload, actor) = server::caller()?;
    let token = server::answer_part(address::token(&token))?;
    server::answer_part(caseload.selection(&actor, token, &address::ids(&shown)).await)
}

/// Takes over which of the people shown are ticked. `whole_page` is set by the box above the others, `back` is the query
/// string of the page to go back to without scripts.
#[server(name = SelectShown, prefix = "/api/page", endpoint = "select-shown")]
pub async fn select_shown(
    #[server(default)] token: String,
    #[server(default)] shown: String,
    #[server(default)] ticked: Vec<String>,
    #[server(default)] whole_page: String,
    #[server(default)] back: String,
) -> Result<SelectionView, Refusal> {
    use crate::{pages::people::address, server};
    let (caseload, actor) = server::caller()?;
    let request = server::answer(address::selection_request(&token, shown, &ticked, !whole_page.is_empty()))?;
    let view = server::answer(caseload.select_shown(&actor, &request).await)?;
    server::send_form_to(&address::selected(&back, Some(view.token)));
    Ok(view)
}

/// Selects everybody who matches the filter in `back`, the page's query string.
#[server(name = SelectMatching, prefix = "/api/page", endpoint = "select-matching")]
pub async fn select_matching(#[server(default)] back: String) -> Result<SelectionView, Refusal> {
    use crate::{pages::people::address, server};
    let (caseload, actor) = server::caller()?;
    let query = server::answer(address::query(&back))?;
    let view = server::answer(caseload.select_matching(&actor, query.filter).await)?;
    server::send_form_to(&address::selected(&back, Some(view.token)));
    Ok(view)
}

/// Forgets a selection.
#[server(name = DropSelection, prefix = "/api/page", endpoint = "drop-selection")]
pub async fn drop_selection(#[server(default)] token: String, #[server(default)] back: String) -> Result<(), Refusal> {
    use crate::{pages::people::address, server};
    let (caseload, actor) = server::caller()?;
    let token = server::answer(address::token(&token))?;
    server::answer(caseload.drop_selection(&actor, token).await)?;
    server::send_form_to(&address::selected(&back, None));
    Ok(())
}
