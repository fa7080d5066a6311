//! The people page: one's caseload with search, filters, a sortable table, and the selection that actions start from.

pub mod api;
mod bar;
mod checkboxes;
pub mod chips;
pub mod filters;
pub mod ids;
pub mod list;
mod live_selection;
pub mod page_address;
pub mod page_data;
pub mod row;
pub mod table;
mod tabs;
pub mod views;

use std::time::Duration;

use crate::components::type_erasure::Erase;
use leptos::{ev::MouseEvent, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

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
use live_selection::Picks;
use page_data::FoundPeople;

/// The people page.
#[component]
pub fn PeoplePage() -> impl IntoView {
    let search = url::own_search();
    let picks = Picks::new(search);
    // The selection is part of the address, but making one here must not load the page again.
    let source = Memo::new(move |before: Option<&String>| {
        let search = search.get();
        match before {
            Some(before)
                if page_address::selection(&search) == picks.token() && page_address::same_list(before, &search) =>
            {
                before.clone()
            }
            _ => search,
        }
    });
    let shown = ShownPage::default();
    let found =
        load(move || (source.get(), shown.at(&source.get())), |search, shown| Box::pin(api::people(search, shown)));
    let counts = load(Default::default, |_, _| Box::pin(api::scope_counts()));
    let kept = Memo::new(move |_| search.with(|search| url::set(search, page_address::SEL, None)));
    let views = load(move || (kept.get(), String::new()), |search, _| Box::pin(api::views(search)));
    let filters = load(move || (kept.get(), String::new()), |search, _| Box::pin(api::filters(search)));
    follow_changes(found, shown);

    let show = move |answer: Answer| show(answer, source.get_untracked(), shown, picks, search);
    view! {
        <Frame title="People" live=true skips=&[("results", "Skip to the people"), ("actions", "Skip to the actions")]>
            <header class="head">
                <div><h1>"People"</h1></div>
                <div class="line">
                    <Loaded from=views show=markup/>
                    <a class="button quiet" href="/people/ids">"Paste school IDs…"</a>
                </div>
            </header>
            <tabs::ScopeTabs search counts/>
            <FilterForm search filters/>
            <Loaded from=found show what="people"/>
        </Frame>
    }
    .erase()
}

/// Who is on the page. Asked again, it brings them as they are by then, each where they are; whoever has come is counted.
#[derive(Clone, Copy, Default)]
struct ShownPage {
    /// The address that was answered last, and who was on the page.
    now: StoredValue<(String, String)>,
    /// The same as it is asked for.
    asked: RwSignal<(String, String)>,
}

impl ShownPage {
    /// Who is to stay on the page of this address.
    fn at(self, source: &str) -> String {
        self.asked.with(|(of, shown)| if of == source { shown.clone() } else { String::new() })
    }

    /// Takes over who is on the page. Whoever comes back to an address finds it as it is then.
    fn arrive(self, source: &str, again: String) {
        self.now.set_value((source.to_owned(), again));
        self.asked.update_untracked(|asked| {
            if asked.0 != source {
                *asked = Default::default();
            }
        });
    }

    /// Brings the page of these people as it is now.
    fn again(self, found: Load) {
        let now = self.now.get_value();
        if self.asked.with_untracked(|asked| *asked == now) {
            found.refetch();
        } else {
            self.asked.set(now);
        }
    }
}

/// The list is loaded again when a task has changed people, though not for each of its steps.
fn follow_changes(found: Load, shown: ShownPage) {
    let live = Live::expect();
    let due = RwSignal::new(false);
    let refetch = move || {
        due.set(false);
        shown.again(found);
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
    live.on_resync(move || shown.again(found));
}

/// Search and filters, which the server renders. The form's id is there for the page size below the table.
#[component]
fn FilterForm(search: Memo<String>, filters: Load) -> impl IntoView {
    let selection = move || search.with(|search| url::value(search, page_address::SEL)).unwrap_or_default();
    view! {
        <section aria-label="Filters">
            <form id="filters" role="search" method="get" action="/people" data-noscroll>
                <input type="hidden" name=page_address::SEL value=selection/>
                <Loaded from=filters show=markup/>
            </form>
        </section>
    }
    .erase()
}

/// A part that is only shown, and left out where it could not be brought.
fn markup(answer: Answer) -> AnyView {
    match read::<Html>(answer) {
        Ok(html) => html.erase(),
        Err(_) => ().erase(),
    }
}

/// Everything that depends on who was found.
fn show(answer: Answer, source: String, shown: ShownPage, picks: Picks, search: Memo<String>) -> AnyView {
    let found = match read::<FoundPeople>(answer) {
        Ok(found) => found,
        Err(refusal) => return view! { <Refused refusal retry=url::join("/people", &source)/> }.erase(),
    };
    picks.arrive(&found, &source);
    shown.arrive(&source, found.again);
    // Those who have come are asked for: the page begins anew.
    let anew = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if target.and_then(|target| target.closest("[data-anew]").ok().flatten()).is_some() {
            event.prevent_default();
            shown.asked.set(Default::default());
        }
    };
    let total = found.total;
    // The list may be loaded again by an address that had a selection which was cleared or replaced since.
    let lost =
        found.lost && search.with_untracked(|now| page_address::selection(now) == page_address::selection(&source));
    let refused =
        move || picks.refusal.get().map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    view! {
        <div on:click=anew>{found.chips}</div>
        {lost.then(|| view! {
            <Notice tone="warn" title="Your selection is gone" text="Selections are kept for 30 minutes. Please select again."/>
        })}
        {refused}
        <section id="results" class="stack tight" tabindex="-1" aria-label="People">
            <bar::SelectionForm picks search total/>
            <checkboxes::TickedList html=found.html picks/>
            <bar::SelectionBar picks permissions=found.permissions/>
        </section>
    }
    .erase()
}
