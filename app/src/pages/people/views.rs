//! Saved views: searches that one keeps under a name. The server renders the menu.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::SavedView;

use super::api::{ForgetView, SaveView};
use crate::{
    components::{icon::Icon, type_erasure::Erase},
    url,
};

/// The menu; `search` is the query string that would be kept.
#[component]
pub fn Views(views: Vec<SavedView>, search: String) -> impl IntoView {
    let current = views.iter().find(|view| view.query == search).map(|view| view.name.clone());
    let label = current.clone().unwrap_or_else(|| "Views".to_owned());
    let list = if views.is_empty() {
        view! { <p>"Save a search to use it again."</p> }.erase()
    } else {
        let lines = views.into_iter().map(|view| line(view, &search)).collect_view();
        view! { <ul class="views">{lines}</ul> }.erase()
    };
    let given = current.unwrap_or_default();
    view! {
        <details class="menu start">
            <summary class="button quiet">{label}<Icon name="down"/></summary>
            <div class="panel">
                {list}
                <form class="line" method="post" action=SaveView::url()>
                    <input type="hidden" name="query" value=search/>
                    <input class="input" name="name" value=given required maxlength="60" aria-label="Name of the view" placeholder="Name"/>
                    <button class="button">"Save this view"</button>
                </form>
            </div>
        </details>
    }
}

fn line(view: SavedView, search: &str) -> AnyView {
    let current = (view.query == search).then_some("page");
    view! {
        <li class="line">
            <a href=url::join("/people", &view.query) aria-current=current>{view.name.clone()}</a>
            <form method="post" action=ForgetView::url()>
                <input type="hidden" name="id" value=view.id.to_string()/>
                <input type="hidden" name="query" value=search.to_owned()/>
                <button class="button quiet small">
                    <Icon name="close"/>
                    <span class="hidden">{format!("Delete view {}", view.name)}</span>
                </button>
            </form>
        </li>
    }
    .erase()
}
