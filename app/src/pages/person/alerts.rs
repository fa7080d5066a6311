//! The early alerts on a person.

use leptos::prelude::*;
use model::person::Alert;

use crate::{
    components::{
        table::{Head::Text, table},
        tip::Tip,
        type_erasure::Erase,
        values::time::Time,
    },
    help::hint::Hint,
};

/// The section, latest first; nothing for whoever has none.
#[component]
pub fn Alerts(alerts: Vec<Alert>) -> impl IntoView {
    (!alerts.is_empty()).then(|| {
        let lines = alerts
            .into_iter()
            .map(|alert| {
                let noticed = match alert.task_id {
                    Some(task) => view! { <a href=format!("/tasks/{task}")>{alert.alert_reason.label()}</a> }.erase(),
                    None => alert.alert_reason.label().erase(),
                };
                view! {
                    <tr data-key=alert.created_date.timestamp_micros().to_string()>
                        <td class="first">{noticed}</td>
                        <td class="brief nowrap"><Time at=alert.created_date date=true/></td>
                        <td class="wrap">{alert.comment}</td>
                        <td class="brief" data-prefix="by">{alert.created_by_name}</td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <section aria-labelledby="h-alerts">
                <div class="section"><h2 id="h-alerts">"Early alerts"</h2><div><Tip on=Hint::EarlyAlert/></div></div>
                {table("Early alerts, latest first", &[Text("Noticed"), Text("On"), Text("Comment"), Text("By")], lines)}
            </section>
        }
    })
}
