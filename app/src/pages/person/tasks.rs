//! The tasks that treated a person, or will: those to come are seen at once, and all of them are for looking up.

use leptos::prelude::*;
use model::person::PersonTask;

use super::folded::folded;
use crate::components::{
    icon::Icon,
    table::{
        Head::{Number, Text},
        table,
    },
    values::{
        badge::{NowThen, OutcomeBadge},
        time::Time,
    },
};

/// The section, latest first; nothing for whoever is in none.
#[component]
pub fn Tasks(tasks: Vec<PersonTask>) -> impl IntoView {
    (!tasks.is_empty()).then(|| folded("h-tasks", "All tasks", tasks.len() as u64, false, listed(tasks)))
}

/// The tasks that will still come to the person, of which the timeline has nothing yet.
#[component]
pub fn Ahead(tasks: Vec<PersonTask>) -> impl IntoView {
    let tasks: Vec<_> =
        tasks.into_iter().filter(|line| line.outcome.is_none() && line.reason_label.is_some()).collect();
    (!tasks.is_empty()).then(|| {
        let lines = tasks.into_iter().map(|line| {
            let (href, state) = (format!("/tasks/{}", line.task.id), line.reason_label);
            view! {
                <li>
                    <a href=href>{line.task.title}</a>
                    " "
                    <span class="meta soft">{state}", by "{line.owner_name}</span>
                </li>
            }
        });
        view! {
            <section class="notice" aria-labelledby="h-ahead">
                <Icon name="schedule"/>
                <div><h2 id="h-ahead">"Still to come"</h2><ul>{lines.collect_view()}</ul></div>
            </section>
        }
    })
}

fn listed(tasks: Vec<PersonTask>) -> AnyView {
    let lines = tasks
        .into_iter()
        .map(|line| {
            view! {
                <tr data-key=line.task.id.to_string()>
                    <th scope="row">
                        <a href=format!("/tasks/{}", line.task.id)>{line.task.title}</a>
                        <span class="sub">"by " {line.owner_name}</span>
                    </th>
                    <td class="first">
                        <span class="line">
                            <OutcomeBadge outcome=line.outcome/>
                            <span class="meta soft">{line.reason_label}</span>
                        </span>
                    </td>
                    <td class="first"><NowThen now=line.before then=line.after verb="became"/></td>
                    <td class="brief num soft"><Time at=line.date date=true/></td>
                </tr>
            }
        })
        .collect_view();
    table("Tasks, latest first", &[Text("Task"), Text("Outcome"), Text("Details"), Number("Date")], lines)
}
