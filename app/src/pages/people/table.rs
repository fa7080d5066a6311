//! The table of people: a native one, with sort links in its head and a box in each row.

use leptos::prelude::*;
use model::{PeopleQuery, PersonRow, Sort, people};

use super::{address, picks::Picks, row::PersonLine};
use crate::components::icon::Icon;

/// The table.
#[component]
pub fn PeopleTable(rows: Vec<PersonRow>, query: PeopleQuery, picks: Picks, search: Memo<String>) -> impl IntoView {
    let sort = query.sort.unwrap_or(Sort::Name);
    let caption = format!("{} on this page, sorted by: {}", people(rows.len() as u64), sort.label().to_lowercase());
    let count = rows.len();
    let lines = rows.into_iter().enumerate().map(|(index, row)| view! { <PersonLine row index picks/> }).collect_view();
    let all = move || count > 0 && picks.ticked_here() >= count;
    let some = move || picks.ticked_here() > 0 && !all();
    view! {
        <div class="tableframe">
            <table class="table wide cards">
                <caption class="hidden">{caption}</caption>
                <thead>
                    <tr>
                        <td class="check">
                            <label>
                                <input
                                    type="checkbox"
                                    name="whole_page"
                                    value="all"
                                    form="selection"
                                    aria-label=format!("Select all {} on this page", people(count as u64))
                                    prop:checked=all
                                    prop:indeterminate=some
                                    on:change=move |event| picks.tick_page(event_target_checked(&event))
                                />
                            </label>
                        </td>
                        <SortHead name="Name" class="name" now=sort up=Sort::Name down=Sort::NameDescending search/>
                        <SortHead name="School id" now=sort up=Sort::SchoolId down=Sort::SchoolIdDescending search/>
                        <th scope="col">"Program status"</th>
                        <th scope="col">"Since"</th>
                        <th scope="col">"Type"</th>
                        <th scope="col">"Major"</th>
                        <th scope="col">"Campus"</th>
                        <th scope="col">"Start term"</th>
                        <th scope="col">"Coach"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// The head of a column that can be sorted by.
#[component]
fn SortHead(
    name: &'static str,
    #[prop(optional)] class: &'static str,
    now: Sort,
    up: Sort,
    down: Sort,
    search: Memo<String>,
) -> impl IntoView {
    let order = match now {
        now if now == up => Some("ascending"),
        now if now == down => Some("descending"),
        _ => None,
    };
    let icon = if now == down { "down-arrow" } else { "up-arrow" };
    view! {
        <th scope="col" class=class aria-sort=order>
            <a href=move || address::sorted(&search.get(), now, up, down) data-noscroll>
                {name}
                <Icon name=icon/>
            </a>
        </th>
    }
    .into_any()
}
