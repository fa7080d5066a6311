//! Beside the people: what happened to the task, and what it was asked to do. The server renders it; nothing here runs in
//! the browser.

use leptos::prelude::*;
use model::{
    Role, TaskDetail,
    task::{Event, EventKind},
};

use crate::components::{icon::Icon, time::Time};

/// The column.
#[component]
pub fn Aside(task: TaskDetail, role: Role) -> impl IntoView {
    let row = task.row;
    let facts = task.facts.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> }).collect_view();
    // The head of the page shows the beginning of a long one.
    let reason = row.reason.map(|reason| view! { <dt>"Reason"</dt><dd>{reason}</dd> });
    let from = task.filter_query.map(|query| {
        view! {
            <dt>"From"</dt>
            <dd><a href=format!("/people?{query}")>"The people who match now"</a></dd>
        }
    });
    // The name of a process means something to those who look after them.
    let process = task.process.filter(|_| role == Role::Administrator);
    let process = process.map(|process| view! { <dt>"Running on"</dt><dd class="id">{process}</dd> });
    let attempt = match (row.attempt, row.failures) {
        (0, _) => "none yet".to_owned(),
        (n, 0) => n.to_string(),
        (n, failures) => format!("{n}, {failures} of {} failures", row.max_failures),
    };
    view! {
        <section aria-labelledby="h-time">
            <div class="section"><h2 id="h-time">"Timeline"</h2></div>
            <ol class="timeline">{task.timeline.into_iter().map(entry).collect_view()}</ol>
        </section>
        <section aria-labelledby="h-det">
            <div class="section"><h2 id="h-det">"Details"</h2></div>
            <dl class="defs">
                {from}
                {facts}
                {reason}
                {process}
                <dt>"Attempt"</dt>
                <dd>{attempt}</dd>
                <dt>"Task id"</dt>
                <dd class="id">{row.id.to_string()}</dd>
            </dl>
        </section>
    }
}

fn entry(event: Event) -> impl IntoView {
    let (name, tone) = match event.kind {
        EventKind::Submitted | EventKind::Ended => ("done", "is-ok"),
        EventKind::Started => ("running", "is-accent"),
        EventKind::Interrupted => ("retrying", "is-warn"),
        EventKind::Trouble => ("problems", "is-danger"),
        EventKind::Stopped => ("cancelled", ""),
    };
    view! {
        <li>
            <Icon name tone/>
            <div>
                {event.text}
                <Time at=event.date exact=true/>
                {event.note.map(|note| view! { <small>{note}</small> })}
            </div>
        </li>
    }
}
