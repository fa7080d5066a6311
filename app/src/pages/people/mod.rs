//! The people page: one's caseload with search, filters, a sortable table, and the selection that actions start from.

pub mod address;
pub mod api;
mod bar;
mod chips;
mod filters;
pub mod ids;
pub mod list;
mod picks;
pub mod row;
pub mod table;
mod tabs;
mod ticks;
pub mod views;

use std::time::Duration;

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{FilterChoices, Permission, SelectionView, Total};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    answer::{Answer, Html, Load, load, read},
    components::{
        blank::{Notice, Refused},
        frame::Frame,
        loaded::Loaded,
    },
    live::{self, Live},
    url,
};
use picks::Picks;

/// One page of people as it was loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The people on the page, in their order.
    pub ids: Vec<Uuid>,
    pub total: Total,
    /// The selection in the address, with those of `ids` that are in it.
    pub picks: Option<SelectionView>,
    /// Whether the address has a selection that is no more.
    pub lost: bool,
    /// What the viewer may do to people.
    pub permissions: Vec<Permission>,
    /// The table, or what stands in its place.
    pub html: Html,
}

/// The people page.
#[component]
pub fn PeoplePage() -> impl IntoView {
    let search = url::own_search();
    let picks = Picks::new(search);
    // The selection is part of the address, but making one here must not load the page again.
    let source = Memo::new(move |before: Option<&String>| {
        let search = search.get();
        match before {
            Some(before) if address::selection(&search) == picks.token() && address::same_list(before, &search) => {
                before.clone()
            }
            _ => search,
        }
    });
    let found = load(move || (source.get(), String::new()), |search, _| Box::pin(api::people(search)));
    let choices = load(Default::default, |_, _| Box::pin(api::filter_choices()));
    let counts = load(Default::default, |_, _| Box::pin(api::scope_counts()));
    let kept = Memo::new(move |_| search.with(|search| url::set(search, address::SEL, None)));
    let views = load(move || (kept.get(), String::new()), |search, _| Box::pin(api::views(search)));
    follow_changes(found);

    let show = move |answer: Answer| show(answer, source.get_untracked(), choices, picks, search);
    let menu = |answer: Answer| match read::<Html>(answer) {
        Ok(html) => html.erase(),
        Err(_) => ().erase(),
    };
    view! {
        <Frame title="People" live=true skips=&[("results", "Skip to the people"), ("actions", "Skip to the actions")]>
            <header class="head">
                <div><h1>"People"</h1></div>
                <div class="line">
                    <Loaded from=views show=menu/>
                    <a class="button quiet" href="/people/ids">"Choose by school id…"</a>
                </div>
            </header>
            <tabs::ScopeTabs search counts/>
            <filters::Filters search choices/>
            <Loaded from=found show what="people"/>
        </Frame>
    }
    .erase()
}

/// The list is loaded again when a task has changed people, though not for each of its steps.
fn follow_changes(found: Load) {
    let live = Live::expect();
    let due = RwSignal::new(false);
    let refetch = move || {
        due.set(false);
        found.refetch();
    };
    live::follow(
        || "tasks".to_owned(),
        false,
        move |_| {
            if !due.get_untracked() {
                due.set(true);
                set_timeout(refetch, Duration::from_secs(2));
            }
        },
    );
    live.on_resync(move || found.refetch());
}

/// Everything that depends on who was found.
fn show(answer: Answer, source: String, choices: Load, picks: Picks, search: Memo<String>) -> AnyView {
    let found = match read::<Found>(answer) {
        Ok(found) => found,
        Err(refusal) => return view! { <Refused refusal retry=url::join("/people", &source)/> }.erase(),
    };
    picks.arrive(&found, &source);
    let total = found.total;
    // The list may be loaded again by an address that had a selection which was cleared or replaced since.
    let lost = found.lost && search.with_untracked(|now| address::selection(now) == address::selection(&source));
    let set = address::filters_set(&source);
    let chips = move |answer: Answer| {
        let choices: FilterChoices = read(answer).unwrap_or_default();
        chips::chips(&set, &choices, total, &search.get_untracked())
    };
    let refused =
        move || picks.refusal.get().map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    view! {
        <Loaded from=choices show=chips/>
        {lost.then(|| view! {
            <Notice tone="warn" title="Your selection is gone" text="Selections are kept for 30 minutes. Please select again."/>
        })}
        {refused}
        <section id="results" class="stack tight" tabindex="-1" aria-label="People">
            <bar::SelectionForm picks search total/>
            <ticks::TickedList html=found.html picks/>
            <bar::SelectionBar picks permissions=found.permissions/>
        </section>
    }
    .erase()
}
