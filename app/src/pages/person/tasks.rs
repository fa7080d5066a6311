//! The tasks that treated a person, or will: those to come are seen at once, and all of them are for looking up.

use leptos::prelude::*;
use model::person::PersonTask;

use crate::components::{
    icon::Icon,
    table::{
        Head::{Number, Text},
        table,
    },
    type_erasure::Erase,
    values::{
        badge::{NowThen, OutcomeBadge},
        time::Time,
    },
};

/// The list, latest first; nothing for whoever is in none.
pub fn list(tasks: Vec<PersonTask>) -> Option<AnyView> {
    (!tasks.is_empty()).then(|| listed(tasks))
}

/// The tasks that will still come to the person, of which the timeline has nothing yet.
pub fn ahead(tasks: &[PersonTask]) -> Option<AnyView> {
    let tasks: Vec<_> = tasks.iter().filter(|line| line.outcome.is_none() && line.reason_label.is_some()).collect();
    (!tasks.is_empty()).then(|| {
        let lines = tasks.into_iter().map(|line| {
            let href = format!("/tasks/{}", line.task.id);
            let when = match line.start_date {
                Some(at) => view! { "on "<Time at ahead=true/> }.into_any(),
                None => line.reason_label.clone().into_any(),
            };
            view! {
                <li>
                    <a href=href>{line.task.title.clone()}</a>
                    " "
                    <span class="meta soft">{when}", by "{line.owner_name.clone()}</span>
                </li>
            }
        });
        view! {
            <section class="notice" aria-labelledby="h-ahead">
                <Icon name="schedule"/>
                <div><h2 id="h-ahead">"Still to come"</h2><ul>{lines.collect_view()}</ul></div>
            </section>
        }
        .erase()
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
