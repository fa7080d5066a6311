//! Some of the people who would change, now and then.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{grouped, preview::SampleRow};

use crate::components::{
    badge::NowThen,
    table::{Head::Text, table},
};

/// The sample; nothing when nobody would change.
#[component]
pub fn Sample(rows: Vec<SampleRow>, will_change: u64) -> impl IntoView {
    if rows.is_empty() {
        return ().erase();
    }
    let title = match rows.len() as u64 {
        shown if shown == will_change => "Who will change".to_owned(),
        shown => format!("{shown} of the {} who will change", grouped(will_change)),
    };
    let lines = rows
        .into_iter()
        .map(|row| {
            view! {
                <tr>
                    <th scope="row">{row.name}</th>
                    <td class="brief id soft nowrap">{row.school_id}</td>
                    <td class="first"><NowThen now=Some(row.now) then=Some(row.then) verb="becomes"/></td>
                    <td class="brief" data-prefix="coach">{row.coach_name}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="h-sample">
            <div class="section"><h2 id="h-sample">{title}</h2></div>
            {table(
                "Sample of people, now and then",
                &[Text("Name"), Text("School id"), Text("Now and then"), Text("Coach")],
                lines,
            )}
        </section>
    }
    .erase()
}
