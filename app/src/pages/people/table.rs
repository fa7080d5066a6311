//! The table of people as the server renders it: a native one, with sort links in its head and a box in each row.

use leptos::prelude::*;
use model::{PeopleQuery, PersonId, PersonRow, Sort, people};

use super::{page_address, row};
use crate::components::icon::Icon;

/// The name of the box for the whole page.
pub const WHOLE_PAGE: &str = "whole_page";

/// The table.
#[component]
pub fn PeopleTable(
    lines: Vec<(PersonId, Option<PersonRow>)>,
    query: PeopleQuery,
    ticked: Vec<PersonId>,
    search: String,
) -> impl IntoView {
    let sort = query.sort.unwrap_or(Sort::Name);
    let count = people(lines.len() as u64);
    let caption = format!("{count} on this page, sorted by: {}", sort.label().to_lowercase());
    let lines = lines.into_iter().map(|(id, row)| row::line(id, row, ticked.contains(&id))).collect_view();
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
                                    name=WHOLE_PAGE
                                    value="all"
                                    form="selection"
                                    aria-label=format!("Select all {count} on this page")
                                />
                            </label>
                        </td>
                        <SortHead name="Name" class="name" now=sort up=Sort::Name down=Sort::NameDescending search=search.clone()/>
                        <SortHead name="School ID" now=sort up=Sort::SchoolId down=Sort::SchoolIdDescending search=search.clone()/>
                        <th scope="col">"Program status"</th>
                        <th scope="col">"Since"</th>
                        <th scope="col">"Student type"</th>
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
}

/// The head of a column that can be sorted by.
#[component]
fn SortHead(
    name: &'static str,
    #[prop(optional)] class: &'static str,
    now: Sort,
    up: Sort,
    down: Sort,
    search: String,
) -> impl IntoView {
    let order = match now {
        now if now == up => Some("ascending"),
        now if now == down => Some("descending"),
        _ => None,
    };
    let icon = if now == down { "down-arrow" } else { "up-arrow" };
    view! {
        <th scope="col" class=class aria-sort=order>
            <a href=page_address::sorted(&search, now, up, down) data-noscroll>{name}<Icon name=icon/></a>
        </th>
    }
}
