//! The early alerts on a person.

use leptos::prelude::*;
use model::person::Alert;

use crate::components::{
    erase::Erase,
    table::{Head::Text, table},
    time::Time,
};

/// The section, latest first; nothing for whoever has none.
#[component]
pub fn Alerts(alerts: Vec<Alert>) -> impl IntoView {
    (!alerts.is_empty()).then(|| {
        let lines = alerts
            .into_iter()
            .map(|alert| {
                let by = match alert.task_id {
                    Some(task) => view! { <a href=format!("/tasks/{task}")>{alert.created_by_name}</a> }.erase(),
                    None => alert.created_by_name.erase(),
                };
                view! {
                    <tr>
                        <td class="first">{alert.alert_reason.label()}</td>
                        <td class="brief nowrap"><Time at=alert.created_date date=true/></td>
                        <td class="wrap">{alert.comment}</td>
                        <td class="brief" data-prefix="by">{by}</td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <section aria-labelledby="h-alerts">
                <div class="section"><h2 id="h-alerts">"Early alerts"</h2></div>
                {table("Early alerts, latest first", &[Text("Noticed"), Text("On"), Text("Comment"), Text("By")], lines)}
            </section>
        }
    })
}
