//! The list of people as the server renders it: the table with its pager, or what stands in its place. Nothing here runs
//! in the browser.

pub mod display;
pub mod row;
pub mod table;

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{
    PeopleFilter, PeopleQuery, PersonColumn, PersonId, Role, Scope, filter::LETTERS_FOR_ALL, person::ShownPeople,
};

use super::page_address;
use table::PeopleTable;

use crate::{
    components::{blank::Blank, icon::Icon, values::pager},
    url,
};

/// The list.
#[component]
pub fn List(
    page: ShownPeople,
    query: PeopleQuery,
    columns: Vec<PersonColumn>,
    ticked: Vec<PersonId>,
    search: String,
    role: Role,
) -> impl IntoView {
    if page.lines.is_empty() {
        return view! { <Empty filter=query.filter search role/> }.erase();
    }
    let shown = page.lines.len();
    let total = page.total;
    let next = page.next;
    let limit = query.limit;
    let hint = is_short(&query.filter.q).then(|| view! { <p class="meta soft">{LAST_NAMES_ONLY}</p> });
    view! {
        {hint}
        <PeopleTable lines=page.lines query columns ticked search=search.clone()/>
        <div class="pager">
            <div>{pager::place(shown, total, url::begins(&search))}</div>
            <div>
                <PageSize limit/>
                {(!url::begins(&search)).then(|| {
                    let first = url::join("/people", &url::from_first(&search));
                    view! { <a class="button" href=first>"First page"</a> }
                })}
                {next.map(|next| {
                    let next = url::join("/people", &url::following(&search, &next));
                    view! { <a class="button" href=next>"Next"</a> }
                })}
            </div>
        </div>
    }
    .erase()
}

const LAST_NAMES_ONLY: &str = "Type 3 letters to search first names, school IDs and email addresses too.";

/// Whether a search has so few letters that it looks at last names only.
fn is_short(q: &str) -> bool {
    (1..LETTERS_FOR_ALL).contains(&q.trim().chars().count())
}

const SIZES: [u32; 4] = [25, 50, 100, 200];

/// The page size. It belongs to the form of the filters, which scripts send when it changes.
#[component]
fn PageSize(limit: Option<u32>) -> impl IntoView {
    let size = limit.unwrap_or(SIZES[0]);
    let options =
        SIZES.map(|n| view! { <option value=n.to_string() selected=size == n>{n}</option> }).into_iter().collect_view();
    view! {
        <label for="limit" class="meta">"Rows"</label>
        <span class="select">
            <select id="limit" name="limit" form="filters" data-sends="filters">{options}</select>
            <Icon name="down"/>
        </span>
        <noscript><button class="button" form="filters">"Set"</button></noscript>
    }
}

/// In place of the table: nobody yet, or nobody with these filters.
#[component]
fn Empty(filter: PeopleFilter, search: String, role: Role) -> impl IntoView {
    if !url::begins(&search) {
        let first = url::join("/people", &url::from_first(&search));
        return view! {
            <Blank icon="people" title="This page is empty" text="Go to the first page.">
                <a class="button" href=first>"First page"</a>
            </Blank>
        }
        .erase();
    }
    if !filter.is_everyone() {
        let text = match is_short(&filter.q) {
            true => LAST_NAMES_ONLY,
            false => "Remove a filter or clear all.",
        };
        return view! {
            <Blank icon="search" title="No people match" text>
                <a class="button" href=page_address::unfiltered(&search)>"Clear all filters"</a>
            </Blank>
        }
        .erase();
    }
    match filter.scope {
        Some(Scope::Watchlist) => view! {
            <Blank icon="people" title="Your watch list is empty" text="People you watch are listed here, whoever their coach is.">
                <a class="button" href="/people">"Back to people"</a>
            </Blank>
        }
        .erase(),
        Some(Scope::Caseload) if role.reaches_everyone() => view! {
            <Blank icon="people" title="Nobody is on your caseload" text="People appear here when you are set as their coach.">
                <a class="button primary" href="/people?scope=all">"See everyone"</a>
            </Blank>
        }
        .erase(),
        None if role.reaches_everyone() => everyone().erase(),
        Some(Scope::All) => everyone().erase(),
        _ => view! {
            <Blank
                icon="people"
                title="Nobody is on your caseload yet"
                text="People appear here when you are set as their coach. Ask your manager if somebody is missing."
            >
                <a class="button" href="/people?scope=watchlist">"See your watch list"</a>
            </Blank>
        }
        .erase(),
    }
}

fn everyone() -> impl IntoView {
    view! {
        <Blank icon="people" title="Nobody is here yet" text="People appear here once an administrator has imported them.">
            <a class="button" href="/tasks">"Go to my tasks"</a>
        </Blank>
    }
}
