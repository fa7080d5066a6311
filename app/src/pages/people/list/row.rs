//! One person in the table, as the server renders it. Each row is of its person (`data-key`) for as long as it is shown.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{PersonColumn, PersonId, PersonRow, person::PendingChange};

use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{
            badge::{PendingBadge, StatusBadge},
            time::{Time, status_since},
        },
    },
    pages::person::api::WatchPerson,
};

/// The name of the boxes in the rows, by which a plain form sends them as a list.
pub const BOX: &str = "ticked[]";
/// The id of the form that the stars in the rows belong to.
pub const WATCH: &str = "watching";

/// The row of this person; of somebody who cannot be seen any more, an empty one in the same place.
pub fn line(id: PersonId, row: Option<PersonRow>, columns: &[PersonColumn], ticked: bool) -> AnyView {
    // The name has a cell of its own, and the star.
    let beside_name = columns.len().to_string();
    match row {
        Some(row) if row.reached => within_reach(row, columns, ticked),
        Some(row) => beyond(row, beside_name),
        None => view! {
            <tr data-key=id.to_string()>
                <td class="check"></td>
                <th scope="row" class="name soft">"No longer on this list"</th>
                <td class="first" colspan=beside_name></td>
            </tr>
        }
        .erase(),
    }
}

/// Somebody on the watch list who is no longer the reader's: the name, and a way off the list.
fn beyond(row: PersonRow, beside_name: String) -> AnyView {
    let id = row.id.to_string();
    view! {
        <tr data-key=id.clone()>
            <td class="check"></td>
            <th scope="row" class="name" title=row.name.clone()>{row.name.clone()}</th>
            <td class="first" colspan=beside_name>
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
    .erase()
}

/// Somebody within reach.
fn within_reach(row: PersonRow, columns: &[PersonColumn], ticked: bool) -> AnyView {
    let cells = columns.iter().map(|column| cell(&row, *column, columns)).collect_view();
    let star = star(row.id, &row.name, row.watched);
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
            {cells}
            {star}
        </tr>
    }
    .erase()
}

/// What a column says of somebody.
fn cell(row: &PersonRow, column: PersonColumn, columns: &[PersonColumn]) -> AnyView {
    match column {
        PersonColumn::Name => view! {
            <th scope="row" class="name" title=row.name.clone()>
                <a href=format!("/people/{}", row.id)>{row.name.clone()}</a>
            </th>
        }
        .erase(),
        PersonColumn::SchoolId => view! { <td class="brief id soft nowrap">{row.school_id.clone()}</td> }.erase(),
        PersonColumn::ProgramStatus => status(row, columns),
        PersonColumn::StatusSince => view! {
            <td class="brief soft nowrap" data-prefix=row.status_since.map(status_since)>
                {row.status_since.map(|at| view! { <Time at date=true/> })}
            </td>
        }
        .erase(),
        PersonColumn::StudentType => clipped("", row.student_type.clone()),
        PersonColumn::Major => clipped("", row.declared_major.clone()),
        PersonColumn::HomeCampus => clipped("", row.home_campus.clone()),
        PersonColumn::StartTerm => view! { <td class="brief nowrap">{row.start_term.clone()}</td> }.erase(),
        PersonColumn::Coach => clipped("coach", row.coach_name.clone()),
        PersonColumn::PrimaryEmail => clipped("", row.primary_email.clone()),
        PersonColumn::Activated => {
            let words = if row.activated == Some(false) { "Not activated" } else { "Activated" };
            view! { <td class="brief nowrap">{words}</td> }.erase()
        }
    }
}

/// What will become of a status. Of whoever has the status already nothing will change.
pub fn pending(row: &PersonRow) -> Option<PendingChange> {
    let changes = |change: &PendingChange| !row.program_status.is_some_and(|now| change.is_to(now.label()));
    row.pending.clone().filter(changes)
}

/// What stands beside a status where no column of its own says it.
pub fn aside(row: &PersonRow, columns: &[PersonColumn]) -> Option<&'static str> {
    (row.activated == Some(false) && !columns.contains(&PersonColumn::Activated)).then_some("not activated")
}

/// The status, with what will become of it; and whoever is not activated is said to be so where no column of its own says it.
fn status(row: &PersonRow, columns: &[PersonColumn]) -> AnyView {
    let pending = pending(row).map(|change| view! { <PendingBadge change/> });
    // There is room for one of them, and what is pending does not pass over whoever is not activated.
    let aside = aside(row, columns).filter(|_| pending.is_none());
    view! {
        <td class="first">
            <span class="line">
                {row.program_status.map(|status| view! { <StatusBadge status/> })}
                {pending}
                {aside.map(|words| view! { <span class="meta soft" title=words>{words}</span> })}
            </span>
        </td>
    }
    .erase()
}

/// Puts somebody on the watch list, or takes them off it, without leaving the list.
fn star(id: PersonId, name: &str, watched: bool) -> AnyView {
    let (icon, does, field) = match watched {
        true => ("star-on", "Stop watching", "unwatch"),
        false => ("star", "Watch", "watch"),
    };
    let says = format!("{does} {name}");
    view! {
        <td class="menu-cell">
            <button class="button quiet small star" form=WATCH name=field value=id.to_string() aria-pressed=watched.to_string() title=does aria-label=says>
                <Icon name=icon/>
            </button>
        </td>
    }
    .erase()
}

/// A cell whose word may be cut, with the whole of it in the title.
fn clipped(prefix: &'static str, word: Option<String>) -> AnyView {
    let title = word.clone();
    view! { <td class="brief clip" data-prefix=(!prefix.is_empty()).then_some(prefix) title=title>{word}</td> }.erase()
}
