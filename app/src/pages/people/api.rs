//! The server's doors of the people page: each decodes, calls a use case, and answers.

use leptos::prelude::*;
use model::{SelectionView, person::Choices};

use crate::refusal::Refusal;

/// The values of a filter in which these words are found, for whoever is typing them.
#[server(name = FindFilterValues, prefix = "/api/page", endpoint = "filter-values")]
pub async fn filter_values(field: String, #[server(default)] words: String) -> Result<Choices, Refusal> {
    use crate::server;
    let (caseload, _) = server::caller()?;
    let field = server::answer(model::filter::parse("field", &field, model::enum_words::Reader::Person))?;
    server::answer(caseload.people().filter_choices(field, &words).await)
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
    use super::page_address;
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let request = server::answer(page_address::selection_request(&token, shown, &ticked, !whole_page.is_empty()))?;
    let view = server::answer(caseload.selections().select_shown(&actor, &request).await)?;
    server::send_form_to(&page_address::selected(&back, Some(view.token)));
    Ok(view)
}

/// Selects everybody who matches the filter in `back`, the page's query string.
#[server(name = SelectMatching, prefix = "/api/page", endpoint = "select-matching")]
pub async fn select_matching(#[server(default)] back: String) -> Result<SelectionView, Refusal> {
    use super::page_address;
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let query = server::answer(page_address::query(&back))?;
    let view = server::answer(caseload.selections().select_matching(&actor, query.filter).await)?;
    server::send_form_to(&page_address::selected(&back, Some(view.token)));
    Ok(view)
}

/// Forgets a selection.
#[server(name = DropSelection, prefix = "/api/page", endpoint = "drop-selection")]
pub async fn drop_selection(#[server(default)] token: String, #[server(default)] back: String) -> Result<(), Refusal> {
    use super::page_address;
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let token = server::id(&token, "selection")?;
    server::answer(caseload.selections().discard(&actor, token).await)?;
    server::send_form_to(&page_address::selected(&back, None));
    Ok(())
}

/// Keeps the search in `query` under a name, and stays at it.
#[server(name = SaveView, prefix = "/api/page", endpoint = "save-view")]
pub async fn save_view(#[server(default)] name: String, #[server(default)] query: String) -> Result<(), Refusal> {
    use super::page_address;
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let search = server::answer(page_address::query(&query))?;
    server::answer(caseload.views().save(&actor, &name, search).await)?;
    server::send_form_to(&url::join("/people", &query));
    Ok(())
}

/// Forgets a view.
#[server(name = ForgetView, prefix = "/api/page", endpoint = "forget-view")]
pub async fn forget_view(id: String, #[server(default)] query: String) -> Result<(), Refusal> {
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let view = server::id(&id, "view")?;
    server::answer(caseload.views().forget(&actor, view).await)?;
    server::send_form_to(&url::join("/people", &query));
    Ok(())
}
