//! How the pages of administrators name things.

use crate::components::values::numbers::about;
use leptos::prelude::*;
use model::{
    TaskKind, TaskRow,
    admin::{ProcessState, ScheduleName},
};

use crate::components::{
    type_erasure::Erase,
    values::{
        badge::{Badge, listed_badge, task_badge},
        time::span,
    },
};

/// A kind of task as people call it: `Program status`. One of another version of Docket goes by its name.
pub fn kind(kind: &str) -> String {
    model::kind::label_of(kind).to_owned()
}

/// Every kind, with its name.
pub fn kinds() -> Vec<(&'static str, &'static str)> {
    TaskKind::ALL.iter().map(|kind| (kind.name(), kind.label())).collect()
}

/// A status as it is stored, as people call it.
pub fn status(stored: &str) -> &str {
    match stored {
        "QUEUED" => "Waiting",
        "SCHEDULING" | "EXECUTING" => "Running",
        "COMPLETED" => "Done",
        "FAILURE" => "Failed",
        "ERROR" => "Could not start",
        "ABANDONED" => "Cancelled or closed",
        other => other,
    }
}

/// A task's state, and beside it whether it is stalled.
pub fn state(row: &TaskRow, stalled: bool) -> AnyView {
    view! { <span class="line">{task_badge(row)}{flag(stalled)}</span> }.erase()
}

/// The same in a list that says in another column how it went.
pub fn listed_state(row: &TaskRow, stalled: bool) -> AnyView {
    view! { <span class="line">{listed_badge(row)}{flag(stalled)}</span> }.erase()
}

fn flag(stalled: bool) -> Option<AnyView> {
    let flag =
        || view! { <span class="badge warn flag"><crate::components::icon::Icon name="stalled"/>"Stalled"</span> };
    stalled.then(|| flag().erase())
}

/// How a process is.
pub fn process_state(state: ProcessState) -> AnyView {
    let (icon, tone) = match state {
        ProcessState::Up => ("done", "ok"),
        ProcessState::Stopping => ("held", ""),
        ProcessState::Silent => ("stalled", "warn"),
    };
    view! { <Badge icon tone text=state.label()/> }.erase()
}

/// What a recurring job does, in plain words; nothing of one that only another version knows.
pub fn schedule(name: &str) -> Option<&'static str> {
    name.parse::<ScheduleName>().ok().map(ScheduleName::label)
}

/// The first part of a process's name, which people gave it; the whole stands beside it where it matters.
pub fn process(id: &str) -> AnyView {
    let mut parts = id.rsplitn(3, '-');
    let (_, _, system) = (parts.next(), parts.next(), parts.next());
    let short = system.unwrap_or(id).to_owned();
    view! { <span class="id" title=id.to_owned()>{short}</span> }.erase()
}

/// A span in milliseconds as people read it.
pub fn milliseconds(ms: u64) -> String {
    match ms {
        0..=999 => format!("{ms}\u{a0}ms"),
        1_000..=59_999 => format!("{}.{}\u{a0}s", ms / 1_000, ms % 1_000 / 100),
        _ => span(ms / 1_000),
    }
}

/// How many people, or steps, a task has.
pub fn people(row: &TaskRow) -> String {
    about(row).unwrap_or_default()
}
