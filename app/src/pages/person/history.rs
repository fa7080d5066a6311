//! The history of a person's program status.

use leptos::prelude::*;
use model::person::StatusPeriod;

use crate::components::{
    table::{Head::Text, table},
    type_erasure::Erase,
    values::{badge::StatusBadge, time::Time},
};

/// The section, latest first.
#[component]
pub fn History(periods: Vec<StatusPeriod>) -> impl IntoView {
    let lines = periods
        .into_iter()
        .map(|period| {
            let why = [period.change_reason.map(|reason| reason.label().to_owned()), period.comment];
            let why = why.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            let by = match period.task_id {
                Some(task) => view! { <a href=format!("/tasks/{task}")>{period.created_by_name}</a> }.erase(),
                None => period.created_by_name.erase(),
            };
            let until = period.expiration_date.map(|at| view! { <Time at date=true/> });
            view! {
                <tr data-key=period.effective_date.timestamp_micros().to_string()>
                    <td class="first"><StatusBadge status=period.program_status/></td>
                    <td class="brief nowrap" data-prefix="from"><Time at=period.effective_date date=true/></td>
                    <td class="brief nowrap">{until.map(|until| view! { <span class="cards-only">"until "</span>{until} })}</td>
                    <td class="wrap">{why}</td>
                    <td class="brief" data-prefix="by">{by}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="h-history">
            <div class="section"><h2 id="h-history">"Program status"</h2></div>
            {table(
                "Program status, latest first",
                &[Text("Status"), Text("From"), Text("Until"), Text("Why"), Text("By")],
                lines,
            )}
        </section>
    }
}
