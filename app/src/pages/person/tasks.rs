//! The tasks that treated a person, or will.

use leptos::prelude::*;
use model::person::PersonTask;

use crate::components::{
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

/// The section, latest first.
#[component]
pub fn Tasks(tasks: Vec<PersonTask>) -> impl IntoView {
    let body = if tasks.is_empty() {
        view! { <p class="soft">"No tasks include this person."</p> }.erase()
    } else {
        listed(tasks)
    };
    view! {
        <section aria-labelledby="h-tasks">
            <div class="section"><h2 id="h-tasks">"Tasks"</h2></div>
            {body}
        </section>
    }
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
