//! The server's doors of the people page: each decodes, calls a use case, and answers.

use leptos::prelude::*;
use model::{SelectionView, person::Choices};

use crate::refusal::Refusal;

/// The values of a filter in which these words are found, for whoever is typing them.
#[server(name = FindFilterValues, prefix = "/api/page", endpoint = "filter-values")]
pub async fn filter_values(field: String, #[server(default)] words: String) -> Result<Choices, Refusal> {
    use crate::server;
    let (caseload, _) = server::caller()?;
    let field = server::answer(model::parameters::parse("field", &field, model::enum_words::Reader::Person))?;
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

/// Keeps the search in `query` under a name, with the look that its list has, and leads to that view.
#[server(name = SaveView, prefix = "/api/page", endpoint = "save-view")]
pub async fn save_view(#[server(default)] name: String, #[server(default)] query: String) -> Result<(), Refusal> {
    use super::page_address;
    use crate::{server, url};
    use model::ListLook;
    let (caseload, actor) = server::caller()?;
    let search = server::answer(page_address::query(&query))?;
    let (columns, height) = actor.preferences.list_look(&page_address::look(&query));
    let look = ListLook { columns: Some(columns), row_height: Some(height) };
    let saved = server::answer(caseload.views().save(&actor, &name, search, &look).await);
    let view = saved.map_err(|refusal| refusal.keeping(&[("name", &name)]))?;
    server::send_form_to(&url::join("/people", &page_address::of_view(&view)));
    Ok(())
}

/// Keeps the search in `query` in a view, with the look that its list has.
#[server(name = UpdateView, prefix = "/api/page", endpoint = "update-view")]
pub async fn update_view(id: String, #[server(default)] query: String) -> Result<(), Refusal> {
    use super::page_address;
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let view = server::id(&id, "view")?;
    let search = server::answer(page_address::query(&query))?;
    server::answer(caseload.views().update(&actor, view, search, &page_address::look(&query)).await)?;
    server::send_form_to(&url::join("/people", &url::set(&query, page_address::VIEW, Some(&id))));
    Ok(())
}

/// Calls a view otherwise, and goes back to the page, whose query string is in `back`.
#[server(name = RenameView, prefix = "/api/page", endpoint = "rename-view")]
pub async fn rename_view(
    id: String,
    #[server(default)] name: String,
    #[server(default)] back: String,
) -> Result<(), Refusal> {
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let view = server::id(&id, "view")?;
    let renamed = server::answer(caseload.views().rename(&actor, view, &name).await);
    renamed.map_err(|refusal| refusal.keeping(&[("name", &name)]))?;
    server::send_form_to(&url::join("/people", &back));
    Ok(())
}

/// Lets colleagues find a view when `shared` is filled, and no longer otherwise.
#[server(name = ShareView, prefix = "/api/page", endpoint = "share-view")]
pub async fn share_view(
    id: String,
    #[server(default)] shared: String,
    #[server(default)] back: String,
) -> Result<(), Refusal> {
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let view = server::id(&id, "view")?;
    server::answer(caseload.views().share(&actor, view, !shared.is_empty()).await)?;
    server::send_form_to(&url::join("/people", &back));
    Ok(())
}

/// Forgets a view. The search stays on the page.
#[server(name = ForgetView, prefix = "/api/page", endpoint = "forget-view")]
pub async fn forget_view(id: String, #[server(default)] back: String) -> Result<(), Refusal> {
    use super::page_address::VIEW;
    use crate::{server, url};
    let (caseload, actor) = server::caller()?;
    let view = server::id(&id, "view")?;
    server::answer(caseload.views().forget(&actor, view).await)?;
    server::send_form_to(&url::join("/people", &url::set(&back, VIEW, None)));
    Ok(())
}

/// Shows these columns and rows of this height from now on: on a saved view as a change to it, and else wherever the reader
/// looks. `usual` takes back what was chosen.
#[server(name = SetDisplay, prefix = "/api/page", endpoint = "set-display")]
pub async fn set_display(
    #[server(default)] columns: Vec<String>,
    #[server(default)] rows: String,
    #[server(default)] usual: String,
    #[server(default)] back: String,
) -> Result<(), Refusal> {
    use super::page_address;
    use crate::{server, url};
    use model::{ListLook, PersonColumn, RowHeight, parameters};
    let (caseload, actor) = server::caller()?;
    let (columns, height) = match usual.is_empty() {
        true => {
            let height = parameters::parse("rows", &rows, model::enum_words::Reader::Person);
            (PersonColumn::listed(&format!("name,{}", columns.join(","))), server::answer(height)?)
        }
        false => (None, RowHeight::Standard),
    };
    let columns = columns.unwrap_or_else(|| PersonColumn::USUAL.to_vec());
    let back = match page_address::view(&back) {
        Some(_) => page_address::with_look(&back, &ListLook { columns: Some(columns), row_height: Some(height) }),
        None => {
            server::answer(caseload.accounts().set_display(&actor, columns, height).await)?;
            page_address::with_look(&back, &ListLook::default())
        }
    };
    server::send_form_to(&url::join("/people", &back));
    Ok(())
}
