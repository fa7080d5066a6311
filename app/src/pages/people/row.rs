//! One person in the table.

use leptos::{ev::MouseEvent, prelude::*};
use model::PersonRow;

use super::picks::Picks;
use crate::components::{badge::StatusBadge, icon::Icon, time::Time};

/// The row.
#[component]
pub fn PersonLine(row: PersonRow, index: usize, picks: Picks) -> impl IntoView {
    let id = row.id;
    let on_click = move |event: MouseEvent| picks.tick(index, event_target_checked(&event), event.shift_key());
    let pending = row.pending.map(|change| view! {
        <a class="badge pending" href=format!("/tasks/{}", change.task_id)>
            <Icon name="scheduled"/>
            {change.label}
        </a>
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
                        name="ticked[]"
                        value=id.to_string()
                        form="selection"
                        aria-label=format!("Select {}", row.name)
                        checked=picks.now.with_untracked(|now| now.as_ref().is_some_and(|view| view.ticked.contains(&id)))
                        prop:checked=move || picks.is_ticked(id)
                        on:click=on_click
                    />
                </label>
            </td>
            <th scope="row" class="name">{row.name}</th>
            <td class="brief id soft">{row.school_id}</td>
            <td class="first">
                <span class="line">
                    <StatusBadge status=row.program_status/>
                    {pending}
                    {aside.map(|words| view! { <span class="meta soft">{words}</span> })}
                </span>
            </td>
            <td class="brief soft nowrap" data-prefix="since"><Time at=row.status_since date=true/></td>
            <td class="brief">{row.student_type}</td>
            <td class="brief clip">{row.declared_major}</td>
            <td class="brief clip">{row.home_campus}</td>
            <td class="brief nowrap">{row.start_term}</td>
            <td class="brief clip" data-prefix="coach">{row.coach_name}</td>
        </tr>
    }
    .into_any()
}
