//! Saved views: searches that one keeps under a name. A view is a place of its own, with its name as the title; what is changed in
//! it can be kept. The server renders it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::SavedView;

use super::{
    api::{ForgetView, RenameView, SaveView, ShareView, UpdateView},
    page_address,
};
use crate::{
    components::{icon::Icon, type_erasure::Erase},
    refusal::wrong,
    url,
};

/// The longest name that a field takes, in characters.
const LONGEST: &str = "60";

/// The head of the page: as which view it is shown, if as one, and what can be done with it.
pub fn head(view: Option<&SavedView>, search: &str, refused: Option<&RefusedName>) -> AnyView {
    let kept = page_address::kept(search);
    let anew = refused.filter(|refused| !refused.renames);
    let (title, facts, tools) = match view {
        None => ("People".to_owned(), ().erase(), save_as("Save view", &kept, anew)),
        Some(view) => (view.name.clone(), facts(view, view.query != kept), tools(view, search, &kept, refused)),
    };
    view! {
        <header class="head">
            <div><h1>{title}</h1>{facts}</div>
            <div class="line">
                {tools}
                <a class="button" href="/people/ids">"Select by school ID…"</a>
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
fn tools(view: &SavedView, search: &str, kept: &str, refused: Option<&RefusedName>) -> AnyView {
    let (renaming, anew) = (refused.filter(|refused| refused.renames), refused.filter(|refused| !refused.renames));
    if view.owner_name.is_some() {
        return save_as("Save as my view", kept, anew);
    }
    let name = renaming.map_or_else(|| view.name.clone(), |refused| refused.typed.clone());
    let save = (view.query != kept).then(|| {
        view! {
            <form method="post" action=UpdateView::url()>
                <input type="hidden" name="id" value=view.id.to_string()/>
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
        {save_as("Save as…", kept, anew)}
        <details class="menu" open=renaming.is_some()>
            <summary class="button">"View"<Icon name="down"/></summary>
            <div class="panel">
                <form class="line" method="post" action=RenameView::url()>
                    {about(search)}
                    {name_field("New name of the view", name, renaming)}
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
                <p>"Colleagues who open a shared view see only people they have access to."</p>
            </div>
        </details>
    }
    .erase()
}

/// A name that was refused, with what was typed and why.
pub struct RefusedName {
    typed: String,
    why: String,
    /// Whether it was for a view that has one.
    renames: bool,
}

impl RefusedName {
    /// That of the form that led back to this address.
    pub fn read(search: &str) -> Option<RefusedName> {
        let refusal = url::refusal(search)?;
        let why = wrong(Some(&refusal), "name")?;
        let form = url::pairs_as_they_are(search).into_iter().find(|(key, _)| key == "__path");
        let renames = form.is_some_and(|(_, form)| form.ends_with("rename-view"));
        Some(RefusedName { typed: refusal.given("name").unwrap_or_default(), why, renames })
    }
}

fn name_field(label: &'static str, typed: String, refused: Option<&RefusedName>) -> AnyView {
    let why =
        refused.map(|refused| view! { <span class="problem" id="view-name-problem">{refused.why.clone()}</span> });
    view! {
        <input
            class="input"
            name="name"
            value=typed
            required
            maxlength=LONGEST
            aria-label=label
            placeholder="Name"
            data-first
            aria-invalid=why.is_some().then_some("true")
            aria-describedby=why.is_some().then_some("view-name-problem")
        />
        {why}
    }
    .erase()
}

/// Keeps the search under a name.
fn save_as(words: &'static str, kept: &str, refused: Option<&RefusedName>) -> AnyView {
    let typed = refused.map(|refused| refused.typed.clone()).unwrap_or_default();
    view! {
        <details class="menu" open=refused.is_some()>
            <summary class="button">{words}<Icon name="down"/></summary>
            <div class="panel">
                <form class="line" method="post" action=SaveView::url()>
                    <input type="hidden" name="query" value=kept.to_owned()/>
                    {name_field("Name of the view", typed, refused)}
                    <button class="button">"Save this view"</button>
                </form>
                <p>"Keeps the filters, the order and the columns."</p>
            </div>
        </details>
    }
    .erase()
}
