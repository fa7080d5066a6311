//! The people page: one's caseload with search, filters, a sortable table, and the selection that actions start from.

mod actions;
pub mod address;
pub mod api;
mod chips;
mod empty;
mod filters;
mod pager;
mod picks;
mod row;
mod table;
mod tabs;

use std::time::Duration;

use leptos::prelude::*;
use model::{FilterChoices, Page, PersonRow, SelectionView};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    components::{
        blank::{Loading, Notice, Refused},
        frame::Frame,
    },
    live::{self, Live},
    refusal::Refusal,
    url,
};
use picks::Picks;

/// One page of people as it was loaded, with what of it is selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// The page's query string without the selection.
    pub query: String,
    /// The selection asked about.
    pub sel: Option<Uuid>,
    pub page: Result<Page<PersonRow>, Refusal>,
    pub picks: Option<SelectionView>,
    /// Whether a selection was asked about that is no more.
    pub lost: bool,
}

async fn load(query: String, sel: Option<Uuid>) -> Listing {
    let page = api::people(query.clone()).await;
    let picks = match (sel, &page) {
        (Some(token), Ok(page)) => {
            let shown: Vec<Uuid> = page.items.iter().map(|row| row.id).collect();
            api::selection(token.to_string(), address::list(&shown)).await.ok()
        }
        _ => None,
    };
    Listing { lost: sel.is_some() && page.is_ok() && picks.is_none(), query, sel, page, picks }
}

/// The people page.
#[component]
pub fn PeoplePage() -> impl IntoView {
    let search = url::own_search();
    let picks = Picks::new(search);
    // The selection is part of the address, but making one here must not load the page again.
    let source = Memo::new(move |before: Option<&(String, Option<Uuid>)>| {
        let search = search.get();
        let query = address::without_selection(&search);
        let sel = url::value(&search, address::SEL).and_then(|token| token.parse().ok());
        match before {
            Some(before) if before.0 == query && sel == picks.token() => before.clone(),
            _ => (query, sel),
        }
    });
    let listing = Resource::new(move || source.get(), |(query, sel)| load(query, sel));
    let choices = Resource::new(|| (), |()| api::filter_choices());
    let counts = Resource::new(|| (), |()| api::scope_counts());
    follow_changes(listing);

    view! {
        <Frame title="People" live=true skips=&[("results", "Skip to the people"), ("actions", "Skip to the actions")]>
            <header class="head"><div><h1>"People"</h1></div></header>
            <tabs::ScopeTabs search counts/>
            <section aria-label="Filters">
                <filters::Filters search choices/>
            </section>
            <Transition fallback=|| view! { <Loading what="people"/> }>
                {move || Suspend::new(async move {
                    let choices = choices.await.unwrap_or_default();
                    let listing = listing.await;
                    picks.arrive(&listing);
                    view! { <Results listing choices picks search/> }
                })}
            </Transition>
        </Frame>
    }
    .into_any()
}

/// The list is loaded again when a task has changed people, though not for each of its steps.
fn follow_changes(listing: Resource<Listing>) {
    let live = Live::expect();
    let due = RwSignal::new(false);
    let refetch = move || {
        due.set(false);
        listing.refetch();
    };
    live::follow(|| "tasks".to_owned(), false, move |_| {
        if !due.get_untracked() {
            due.set(true);
            set_timeout(refetch, Duration::from_secs(2));
        }
    });
    Effect::new(move |before: Option<u32>| {
        let now = live.resync.get();
        if before.is_some_and(|before| before != now) {
            listing.refetch();
        }
        now
    });
}

/// Everything that depends on who was found.
#[component]
fn Results(listing: Listing, choices: FilterChoices, picks: Picks, search: Memo<String>) -> impl IntoView {
    let lost = listing.lost;
    let here = url::join("/people", &listing.query);
    let page = match listing.page {
        Ok(page) => page,
        Err(refusal) => return view! { <Refused refusal retry=here/> }.into_any(),
    };
    let query = address::query(&listing.query).unwrap_or_default();
    let total = page.total;
    let nobody = page.items.is_empty();
    view! {
        <chips::Chips filter=query.filter.clone() choices total search/>
        {lost.then(|| view! {
            <Notice tone="warn" title="Your selection is gone" text="Selections are kept for 30 minutes. Please select again."/>
        })}
        {move || picks.refusal.get().map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })}
        <section id="results" class="stack tight" tabindex="-1" aria-label="People">
            <actions::SelectionForm picks search total/>
            {if nobody {
                view! { <empty::Empty filter=query.filter search/> }.into_any()
            } else {
                view! {
                    <table::PeopleTable rows=page.items.clone() query picks search/>
                    <pager::Pager shown=page.items.len() total next=page.next search/>
                }
                .into_any()
            }}
            <actions::SelectionBar picks/>
        </section>
    }
    .into_any()
}
