//! My tasks: what was submitted and what became of it.

use leptos::prelude::*;
use model::TaskId;

use crate::{
    components::{
        blank::{Blank, Notice},
        frame::{PageContent, Pulse},
        icon::Icon,
        type_erasure::Erase,
    },
    pages::tasks::{
        list,
        page_address::{self, Group},
        tabs,
    },
    server::{
        answer,
        asked::{Asked, Made},
        shown,
    },
    url,
};

/// The least time between two looks, in milliseconds.
const LOOK: u32 = 500;

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let (search, again) = shown::split::<TaskId>(search);
    let query = answer(page_address::query(&search))?;
    let (page, newer) = match &again {
        None => (answer(caseload.tasks().list(actor, &query).await)?, 0),
        Some(shown) => answer(caseload.tasks().list_again(actor, &query, shown).await)?,
    };
    let again = shown::with(&search, page.items.iter().map(|row| row.id.uuid()));
    let new_ones = (newer > 0).then(|| {
        view! {
            <button type="button" class="button small newrows" data-anew>
                <Icon name="up-arrow"/>
                {format!("Show {newer} new")}
            </button>
        }
    });
    let refused = url::refusal(&search);
    let list = match page.items.is_empty() {
        true => empty(&search),
        false => list::list(page, &search),
    };
    let view = view! {
        <header class="head"><div><h1>"My tasks"</h1></div></header>
        {tabs::task_tabs(&search, actor.role)}
        {refused.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })}
        {new_ones}
        <section aria-label="Tasks" class="stack tight" id="results" tabindex="-1">{list}</section>
    };
    Ok(PageContent {
        skips: &[("results", "Skip to the tasks")],
        pulse: Some(Pulse { again, wait: LOOK, is_fresh: false }),
        ..PageContent::new("My tasks", view.erase())
    })
}

/// No tasks: not yet, or not in these states.
fn empty(search: &str) -> AnyView {
    let narrowed =
        Group::of(search) != Group::All || [url::AFTER, "kind"].iter().any(|key| url::value(search, key).is_some());
    let (icon, title, text, href, go) = if narrowed {
        ("search", "No tasks match", "Choose another state or action.", "/tasks", "All my tasks")
    } else {
        let text = "Select people in the list, choose an action, and follow it here.";
        ("tasks", "You have not submitted anything yet", text, "/people", "Go to people")
    };
    view! { <Blank icon title text><a class="button primary" href=href>{go}</a></Blank> }.erase()
}
