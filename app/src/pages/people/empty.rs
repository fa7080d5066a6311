//! The people page with nobody on it: not yet, or not with these filters.

use leptos::prelude::*;
use model::{PeopleFilter, Scope};

use super::address;
use crate::{account::Account, components::blank::Blank, url};

/// In place of the table.
#[component]
pub fn Empty(filter: PeopleFilter, search: Memo<String>) -> impl IntoView {
    if url::value(&search.get_untracked(), "after").is_some() {
        return view! {
            <Blank icon="people" title="No more people" text="The list has become shorter since; this page of it is empty now.">
                <a class="button" href=url::join("/people", &url::set(&search.get_untracked(), "after", None))>"First page"</a>
            </Blank>
        }
        .into_any();
    }
    if !filter.is_everyone() {
        return view! {
            <Blank icon="search" title="No one matches" text="These filters leave nobody. Take one back, or clear them all.">
                <a class="button" href=address::unfiltered(&search.get_untracked())>"Clear all filters"</a>
            </Blank>
        }
        .into_any();
    }
    let reaches_everyone = Account::expect().known().is_some_and(|me| me.role.reaches_everyone());
    match filter.scope {
        Some(Scope::Watchlist) => view! {
            <Blank icon="people" title="You watch nobody yet" text="People you watch are listed here, wherever they are.">
                <a class="button" href="/people">"Back to people"</a>
            </Blank>
        }
        .into_any(),
        Some(Scope::All) => view! {
            <Blank icon="people" title="Nobody is here yet" text="People appear here once an administrator has imported them."/>
        }
        .into_any(),
        _ => view! {
            <Blank
                icon="people"
                title="Nobody is on your caseload yet"
                text="People appear here when you are set as their coach. Your manager can do that."
            >
                {reaches_everyone.then(|| view! { <a class="button primary" href="/people?scope=all">"See everyone"</a> })}
            </Blank>
        }
        .into_any(),
    }
}
