//! A row of the list: people, or lines of files, that failed for one reason in tasks that are done.

use leptos::prelude::*;
use model::{admin::failures::PeopleFailed, enum_words, kind::Description};

use super::row::{concerned, seen};
use crate::{
    components::{
        type_erasure::Erase,
        values::{
            badge::Badge,
            chart::spark,
            numbers::{grouped, tasks, units},
        },
    },
    pages::admin::{remedy::for_people, words},
    url,
};

/// People who failed for one reason within tasks that are done.
pub fn row(group: &PeopleFailed) -> AnyView {
    let of = Description::of(&group.kind);
    let count = units(&of, group.people);
    let ids: Vec<String> = group.task_ids.iter().map(ToString::to_string).collect();
    let list = url::with("/admin/tasks", &[("only", ids.join(","))]);
    // The people of several tasks stand on no page together.
    let (href, text) = match group.task_ids.as_slice() {
        [one] => {
            let ledger = url::below("/tasks", &one.to_string());
            match &group.only_reason {
                Some(reason) => {
                    let these = url::with(&ledger, &[("outcome", "FAILED"), ("reason", reason.as_str())]);
                    (these, format!("Show {count}"))
                }
                // Lines of one cause stand beside each other, among those that failed of another.
                None => {
                    let these = url::with(&ledger, &[("outcome", "FAILED"), ("sort", "details")]);
                    (these, format!("Show {} {}", of.failed, of.unit.1))
                }
            }
        }
        _ => (list.clone(), format!("Show {}", tasks(group.tasks))),
    };
    let title = enum_words::capital(&group.label);
    let says = format!("{text}: {title}");
    let label = format!("{count} {} in this period", of.failed);
    let examples: Vec<String> = group.examples.iter().map(|value| format!("“{value}”")).collect();
    let examples = (!examples.is_empty())
        .then(|| view! { <span class="sub clamp">{format!("For example {}", examples.join(", "))}</span> });
    view! {
        <tr data-key=format!("{} {}", group.kind, group.reason) data-reason=group.reason.clone()>
            <th scope="row">
                // What is underlined here opens a panel; this leads away, by its button.
                {title}
                <span class="sub">{words::kind(&group.kind)}</span>
                <span class="sub">{for_people(&group.kind, &group.reason)}</span>
                {examples}
            </th>
            <td class="first"><Badge icon="problems" tone="warn" text="Done with problems"/></td>
            <td class="brief num" data-suffix=if group.tasks == 1 { "task" } else { "tasks" }><a href=list>{grouped(group.tasks)}</a></td>
            {concerned(count, of.failed)}
            <td class="first">{spark(&group.history, true, true, label)}</td>
            {seen(group.first_date, group.last_date)}
            <td class="acts"><div class="verbs"><a class="button small" href=href aria-label=says>{text}</a></div></td>
        </tr>
    }
    .erase()
}
