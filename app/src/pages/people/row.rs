//! One person in the table, as the server renders it. Each row is of its person (`data-key`) for as long as it is shown.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{PersonId, PersonRow};

use crate::{
    components::{
        type_erasure::Erase,
        values::{
            badge::{PendingBadge, StatusBadge},
            time::Time,
        },
    },
    pages::person::api::WatchPerson,
};

/// The name of the boxes in the rows, by which a plain form sends them as a list.
pub const BOX: &str = "ticked[]";

/// The cells after the name, where they are one.
const BESIDE_NAME: &str = "8";

/// The row of this person; of somebody who cannot be seen any more, an empty one in the same place.
pub fn line(id: PersonId, row: Option<PersonRow>, ticked: bool) -> AnyView {
    match row {
        Some(row) if row.reached => view! { <PersonLine row ticked/> }.erase(),
        Some(row) => view! { <Beyond row/> }.erase(),
        None => view! {
            <tr data-key=id.to_string()>
                <td class="check"></td>
                <th scope="row" class="name soft">"No longer on this list"</th>
                <td class="first" colspan=BESIDE_NAME></td>
            </tr>
        }
        .erase(),
    }
}

/// Somebody on the watch list who is no longer the reader's: the name, and a way off the list.
#[component]
fn Beyond(row: PersonRow) -> impl IntoView {
    let id = row.id.to_string();
    view! {
        <tr data-key=id.clone()>
            <td class="check"></td>
            <th scope="row" class="name" title=row.name.clone()>{row.name.clone()}</th>
            <td class="first" colspan=BESIDE_NAME>
                <form class="line" method="post" action=WatchPerson::url()>
                    <span class="meta soft nowrap">"no longer yours"</span>
                    <input type="hidden" name="id" value=id.clone()/>
                    <button class="button quiet small">
                        "Stop watching"<span class="hidden">" "{row.name}</span>
                    </button>
                </form>
            </td>
        </tr>
    }
}

/// Somebody within reach.
#[component]
fn PersonLine(row: PersonRow, ticked: bool) -> impl IntoView {
    let pending = row.pending.map(|change| view! { <PendingBadge change/> });
    let aside = (row.activated == Some(false)).then_some("not activated");
    view! {
        <tr data-key=row.id.to_string()>
            <td class="check">
                <label>
                    <input
                        type="checkbox"
                        name=BOX
                        value=row.id.to_string()
                        form="selection"
                        aria-label=format!("Select {}", row.name)
                        checked=ticked
                    />
                </label>
            </td>
            <th scope="row" class="name" title=row.name.clone()>
                <a href=format!("/people/{}", row.id)>{row.name.clone()}</a>
            </th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            <td class="first">
                <span class="line">
                    {row.program_status.map(|status| view! { <StatusBadge status/> })}
                    {pending}
                    {aside.map(|words| view! { <span class="meta soft nowrap">{words}</span> })}
                </span>
            </td>
            <td class="brief soft nowrap" data-prefix="since">{row.status_since.map(|at| view! { <Time at date=true/> })}</td>
            {clipped("", row.student_type)}
            {clipped("", row.declared_major)}
            {clipped("", row.home_campus)}
            <td class="brief nowrap">{row.start_term}</td>
            {clipped("coach", row.coach_name)}
        </tr>
    }
}

/// A cell whose word may be cut, with the whole of it in the title.
fn clipped(prefix: &'static str, word: Option<String>) -> impl IntoView {
    let title = word.clone();
    view! { <td class="brief clip" data-prefix=(!prefix.is_empty()).then_some(prefix) title=title>{word}</td> }
}
