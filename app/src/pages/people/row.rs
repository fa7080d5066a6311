//! One person in the table, as the server renders it.

use leptos::prelude::*;
use model::PersonRow;

use crate::components::{badge::StatusBadge, icon::Icon, time::Time};

/// The name of the boxes in the rows, by which a plain form sends them as a list.
pub const BOX: &str = "ticked[]";

/// The row.
#[component]
pub fn PersonLine(row: PersonRow, ticked: bool) -> impl IntoView {
    let pending = row.pending.map(|change| view! {
        <a class="badge pending" href=format!("/tasks/{}", change.task_id)><Icon name="scheduled"/>{change.label}</a>
    });
    let aside = match (row.reached, row.activated) {
        (false, _) => Some("no longer yours"),
        (true, false) => Some("not activated"),
        (true, true) => None,
    };
    view! {
        <tr>
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
                    <StatusBadge status=row.program_status/>
                    {pending}
                    {aside.map(|words| view! { <span class="meta soft nowrap">{words}</span> })}
                </span>
            </td>
            <td class="brief soft nowrap" data-prefix="since"><Time at=row.status_since date=true/></td>
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
