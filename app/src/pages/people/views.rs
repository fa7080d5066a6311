//! Saved views: searches that one keeps under a name. A view is a place of its own, with its name as the title; what is changed in
//! it can be kept. The server renders it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::SavedView;

use super::{
    api::{ForgetView, RenameView, SaveView, ShareView},
    page_address,
};
use crate::components::{icon::Icon, type_erasure::Erase};

/// The longest name that a field takes, in characters.
const LONGEST: &str = "60";

/// The head of the page: as which view it is shown, if as one, and what can be done with it.
pub fn head(view: Option<&SavedView>, search: &str) -> AnyView {
    let kept = page_address::kept(search);
    let (title, facts, tools) = match view {
        None => ("People".to_owned(), ().erase(), save_as("Save view", &kept)),
        Some(view) => (view.name.clone(), facts(view, view.query != kept), tools(view, search, &kept)),
    };
    view! {
        <header class="head">
            <div><h1>{title}</h1>{facts}</div>
            <div class="line">
                {tools}
                <a class="button quiet" href="/people/ids">"Paste school IDs…"</a>
            </div>
        </header>
    }
    .erase()
}

fn facts(view: &SavedView, changed: bool) -> AnyView {
    let kind = if changed { "Saved view, changed" } else { "Saved view" };
    let shared = match (&view.owner_name, view.shared) {
        (Some(owner), _) => Some(format!("shared by {owner}")),
        (None, true) => Some("shared with colleagues".to_owned()),
        (None, false) => None,
    };
    view! { <p class="facts"><span>{kind}</span>{shared.map(|words| view! { <span>{words}</span> })}</p> }.erase()
}

/// What can be done with a view: one's own is changed, a colleague's is kept as one's own.
fn tools(view: &SavedView, search: &str, kept: &str) -> AnyView {
    if view.owner_name.is_some() {
        return save_as("Save as my view", kept);
    }
    let save = (view.query != kept).then(|| {
        view! {
            <form method="post" action=SaveView::url()>
                <input type="hidden" name="name" value=view.name.clone()/>
                <input type="hidden" name="query" value=kept.to_owned()/>
                <button class="button">"Save changes"</button>
            </form>
        }
    });
    let about = |back: &str| {
        view! {
            <input type="hidden" name="id" value=view.id.to_string()/>
            <input type="hidden" name="back" value=back.to_owned()/>
        }
    };
    let (shared, share) = match view.shared {
        true => ("", "Stop sharing"),
        false => ("yes", "Share with colleagues"),
    };
    view! {
        {save}
        {save_as("Save as…", kept)}
        <details class="menu">
            <summary class="button quiet">"View"<Icon name="down"/></summary>
            <div class="panel">
                <form class="line" method="post" action=RenameView::url()>
                    {about(search)}
                    <input class="input" name="name" value=view.name.clone() required maxlength=LONGEST aria-label="New name of the view"/>
                    <button class="button">"Rename"</button>
                </form>
                <form method="post" action=ShareView::url()>
                    {about(search)}
                    <input type="hidden" name="shared" value=shared/>
                    <button class="button quiet">{share}</button>
                </form>
                <form method="post" action=ForgetView::url()>
                    {about(search)}
                    <button class="button quiet">"Delete view"</button>
                </form>
                <p>"Colleagues see a shared view with the people they may see."</p>
            </div>
        </details>
    }
    .erase()
}

/// Keeps the search under a name.
fn save_as(words: &'static str, kept: &str) -> AnyView {
    view! {
        <details class="menu">
            <summary class="button quiet">{words}<Icon name="down"/></summary>
            <div class="panel">
                <form class="line" method="post" action=SaveView::url()>
                    <input type="hidden" name="query" value=kept.to_owned()/>
                    <input class="input" name="name" required maxlength=LONGEST aria-label="Name of the view" placeholder="Name"/>
                    <button class="button">"Save this view"</button>
                </form>
                <p>"Keeps the filters, the order and the columns."</p>
            </div>
        </details>
    }
    .erase()
}
