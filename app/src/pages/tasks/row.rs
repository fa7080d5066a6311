//! One task in the list. A newer row is written over the older one where it stands.

use crate::components::erase::Erase;
use leptos::{prelude::*, server_fn::ServerFn};
use model::{TaskRow, TaskState, grouped};

use super::{
    api::{CancelTask, RetryTask},
    plain_line,
};
use crate::components::{
    badge::TaskBadge,
    bar::{OutcomeBar, counts},
    icon::Icon,
    time::{Time, span},
};

/// The row.
pub fn line(row: &TaskRow) -> AnyView {
    let (id, status, title) = (row.id.to_string(), row.status.name(), row.title.clone());
    let line = plain_line(row).map(|line| view! { <span class="sub">{line}</span> });
    let (reason, total, took) = (row.reason.clone(), row.total.map(grouped), took(row));
    let started = row.started_date.map(|at| view! { <Time at/> });
    let words = match row.state {
        TaskState::Scheduled | TaskState::Waiting if row.treated() == 0 => "Not started".to_owned(),
        _ => counts(row),
    };
    let label = if row.status.is_finished() { String::new() } else { title.clone() };
    let bar = row.total.is_some().then(|| view! { <OutcomeBar row=row.clone() label/> });
    view! {
        <tr data-task-id=id.clone() data-task-status=status>
            <td class="first">
                <div>
                    <span class="line"><TaskBadge state=row.state label=row.label.clone()/></span>
                    {line}
                </div>
            </td>
            <th scope="row"><a href=format!("/tasks/{id}")>{title}</a><span class="sub">{reason}</span></th>
            <td class="brief num" data-prefix="people">{total}</td>
            <td class="first"><div class="outcome">{bar}<span>{words}</span></div></td>
            <td class="brief nowrap" data-prefix="started">{started}</td>
            <td class="brief num soft" data-prefix="took">{took}</td>
            <td class="menu-cell">{verbs(row)}</td>
        </tr>
    }
    .erase()
}

/// How long it ran, once it has ended.
pub fn took(row: &TaskRow) -> String {
    match (row.started_date, row.stopped_date) {
        (Some(started), Some(stopped)) if row.status.is_finished() => {
            span((stopped - started).num_seconds().unsigned_abs())
        }
        _ => String::new(),
    }
}

fn verbs(row: &TaskRow) -> AnyView {
    if !row.can_retry && !row.can_abandon {
        return ().erase();
    }
    let id = row.id.to_string();
    let button = |may: bool, action: &'static str, word: &'static str| {
        let id = id.clone();
        may.then(|| view! { <button form="task-actions" name="id" value=id formaction=action>{word}</button> })
    };
    let cancel_word = if row.status.is_running() { "Cancel the rest" } else { "Cancel" };
    view! {
        <details class="menu">
            <summary class="button quiet small" aria-label=format!("Actions for {}", row.title)><Icon name="dots"/></summary>
            <div class="panel">
                <a href=format!("/tasks/{}", row.id)>"Open"</a>
                {button(row.can_retry, RetryTask::url(), "Retry")}
                {button(row.can_abandon, CancelTask::url(), cancel_word)}
            </div>
        </details>
    }
    .erase()
}
