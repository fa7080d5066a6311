//! The lines of a ledger as the server renders them. Nothing here runs in the browser.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{LedgerRow, Page, grouped};

use crate::{
    components::{
        badge::{NowThen, OutcomeBadge},
        blank::Blank,
        time::Time,
    },
    url,
};

/// The table with its pager.
#[component]
pub fn Lines(page: Page<LedgerRow>, path: String, search: String) -> impl IntoView {
    let shown = page.items.len();
    if shown == 0 {
        let text = "No person of this task is in this list.";
        return view! { <Blank icon="people" title="Nobody is here" text><a class="button" href=path data-noscroll>"All people"</a></Blank> }
            .erase();
    }
    let lines = page.items.into_iter().map(|row| view! { <Line row/> }).collect_view();
    let first = url::value(&search, "after").map(|_| url::join(&path, &url::set(&search, "after", None)));
    let next = page.next.map(|next| url::join(&path, &url::set(&search, "after", Some(&next))));
    view! {
        <div class="tableframe">
            <table class="table still cards">
                <caption class="hidden">"People of this task, with what became of them"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"School id"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col">"Change"</th>
                        <th scope="col" class="num">"Time"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <div class="pager">
            <div>{format!("{} of {}", grouped(shown as u64), page.total.label())}</div>
            <div>
                {first.map(|first| view! { <a class="button" href=first data-noscroll>"First page"</a> })}
                {next.map(|next| view! { <a class="button" href=next data-noscroll>"Next"</a> })}
            </div>
        </div>
    }
    .erase()
}

#[component]
fn Line(row: LedgerRow) -> impl IntoView {
    view! {
        <tr>
            <th scope="row">{row.name}</th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            <td class="first">
                <span class="line">
                    <OutcomeBadge outcome=row.outcome/>
                    <span class="meta soft">{row.reason_label.or(row.reason)}</span>
                </span>
            </td>
            <td class="first"><NowThen now=row.before then=row.after verb="became"/></td>
            <td class="brief num soft">{row.date.map(|at| view! { <Time at exact=true/> })}</td>
        </tr>
    }
}
