//! The lines of a ledger as the server renders them. Nothing here runs in the browser.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{LedgerQuery, LedgerRow, Page, TaskRow};

use super::page_address;
use crate::{
    components::{
        blank::Blank,
        table::{
            Head::{Number, Text},
            table,
        },
        values::{
            badge::{NowThen, OutcomeBadge},
            pager,
            time::Time,
        },
    },
    url,
};

/// How many of those treated last are shown.
pub const LATEST: u32 = 25;

/// Which people of a task are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// Everybody, of a task that has not begun. Many people are listed only when it does.
    Ahead,
    /// Those treated last, of so many treated so far.
    SoFar(u64),
    /// Those with one outcome, of a task that goes on.
    Growing,
    /// Everybody, or those with one outcome, of a task at its end.
    Whole,
}

impl LinePart {
    pub fn of(row: &TaskRow, query: &LedgerQuery) -> LinePart {
        match (query.outcome, &query.reason) {
            (None, None) if page_address::so_far(row) => LinePart::SoFar(row.treated()),
            _ if row.status.is_finished() => LinePart::Whole,
            (None, None) => LinePart::Ahead,
            _ => LinePart::Growing,
        }
    }
}

/// The table with its pager.
#[component]
pub fn Lines(page: Page<LedgerRow>, part: LinePart, path: String, search: String) -> impl IntoView {
    let shown = page.items.len();
    if shown == 0 {
        let (title, text) = match part {
            LinePart::Ahead => ("Preparing the list of people…", "It is ready when the task starts."),
            LinePart::SoFar(_) => ("Nobody yet", "Results appear as people are processed."),
            LinePart::Growing | LinePart::Whole => ("No people", "No people match."),
        };
        let all = matches!(part, LinePart::Growing | LinePart::Whole)
            .then(|| view! { <a class="button" href=path data-noscroll>"All people"</a> });
        return view! { <Blank icon="people" title text>{all}</Blank> }.erase();
    }
    let caption = match part {
        LinePart::SoFar(_) => "People processed so far, latest first",
        _ => "People of this task, with what became of them",
    };
    // The tabs above count on between two times that the list is loaded, so that a number here would soon contradict them.
    let place = match part {
        LinePart::SoFar(_) => format!("The latest {shown}, updated every few seconds"),
        LinePart::Growing => format!("{shown} on this page"),
        LinePart::Ahead | LinePart::Whole => pager::place(shown, page.total, url::begins(&search)),
    };
    let lines = page.items.into_iter().map(|row| view! { <Line row/> }).collect_view();
    let kept = ["outcome", "reason"].map(|key| (key, url::value(&search, key).unwrap_or_default()));
    let file = url::with(&format!("{path}/people.csv"), &kept);
    let first = (!url::begins(&search)).then(|| url::join(&path, &url::from_first(&search)));
    let next = page.next.map(|next| url::join(&path, &url::following(&search, &next)));
    view! {
        {table(caption, &[Text("Name"), Text("School ID"), Text("Outcome"), Text("Details"), Number("Time")], lines)}
        <div class="pager">
            <div class="line">
                <span>{place}</span>
                <a class="textbutton" href=file rel="external" download>"Download as CSV"</a>
            </div>
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
        <tr data-key=row.position.to_string()>
            <th scope="row">{match row.person_id {
                Some(id) => view! { <a href=format!("/people/{id}")>{row.name}</a> }.erase(),
                None => row.name.erase(),
            }}</th>
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
