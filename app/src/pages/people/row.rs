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
            <th scope="row" class="name">{row.name}</th>
            <td class="brief id soft nowrap">{row.school_id}</td>
            <td class="first">
                <span class="line">
                    <StatusBadge status=row.program_status/>
                    {pending}
                    {aside.map(|words| view! { <span class="meta soft nowrap">{words}</span> })}
                </span>
            </td>
            <td class="brief soft nowrap" data-prefix="since"><Time at=row.status_since date=true/></td>
            <td class="brief clip">{row.student_type}</td>
            <td class="brief clip">{row.declared_major}</td>
            <td class="brief clip">{row.home_campus}</td>
            <td class="brief nowrap">{row.start_term}</td>
            <td class="brief clip" data-prefix="coach">{row.coach_name}</td>
        </tr>
    }
}
