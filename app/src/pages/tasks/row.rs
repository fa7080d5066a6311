//! One task in the list. Its cells follow the row; the row itself never moves.

use leptos::{ev::MouseEvent, prelude::*, server_fn::ServerFn};
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
#[component]
pub fn TaskLine(
    row: Memo<Option<TaskRow>>,
    retry: ServerAction<RetryTask>,
    cancel: ServerAction<CancelTask>,
) -> impl IntoView {
    let of = move |read: fn(&TaskRow) -> String| move || row.with(|row| row.as_ref().map(read).unwrap_or_default());
    view! {
        <tr data-task-id=of(|row| row.id.to_string()) data-task-status=of(|row| row.status.name().to_owned())>
            <td class="first">{move || row.get().map(state)}</td>
            <th scope="row">
                <a href=of(|row| format!("/tasks/{}", row.id))>{of(|row| row.title.clone())}</a>
                <span class="sub">{of(|row| row.reason.clone().unwrap_or_default())}</span>
            </th>
            <td class="brief num" data-prefix="people">{of(|row| row.total.map(grouped).unwrap_or_default())}</td>
            <td class="first">{move || row.get().map(outcome)}</td>
            <td class="brief nowrap" data-prefix="started">
                {move || row.get().and_then(|row| row.started_date).map(|at| view! { <Time at/> })}
            </td>
            <td class="brief num soft" data-prefix="took">{of(took)}</td>
            <td class="menu-cell">{move || row.get().and_then(|row| verbs(row, retry, cancel))}</td>
        </tr>
    }
    .into_any()
}

fn state(row: TaskRow) -> impl IntoView {
    let line = plain_line(&row);
    view! {
        <div>
            <span class="line"><TaskBadge state=row.state label=row.label/></span>
            {line.map(|line| view! { <span class="sub">{line}</span> })}
        </div>
    }
}

fn outcome(row: TaskRow) -> impl IntoView {
    let words = match row.state {
        TaskState::Scheduled | TaskState::Waiting if row.treated() == 0 => "Not started".to_owned(),
        _ => counts(&row),
    };
    let bar = row.total.is_some().then(|| {
        let label = (!row.status.is_finished()).then(|| row.title.clone());
        match label {
            Some(label) => view! { <OutcomeBar row label/> }.into_any(),
            None => view! { <OutcomeBar row/> }.into_any(),
        }
    });
    view! { <div class="outcome">{bar}<span>{words}</span></div> }
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

fn verbs(row: TaskRow, retry: ServerAction<RetryTask>, cancel: ServerAction<CancelTask>) -> Option<impl IntoView> {
    if !row.can_retry && !row.can_abandon {
        return None;
    }
    let id = row.id.to_string();
    let (retried, cancelled) = (id.clone(), id.clone());
    let on_retry = move |event: MouseEvent| {
        event.prevent_default();
        retry.dispatch(RetryTask { id: retried.clone() });
    };
    let on_cancel = move |event: MouseEvent| {
        event.prevent_default();
        cancel.dispatch(CancelTask { id: cancelled.clone(), reason: String::new() });
    };
    let cancel_word = if row.status.is_running() { "Cancel the rest" } else { "Cancel" };
    Some(view! {
        <details class="menu">
            <summary class="button quiet small" aria-label=format!("Actions for {}", row.title)>
                <Icon name="dots"/>
            </summary>
            <div class="panel">
                <a href=format!("/tasks/{id}")>"Open"</a>
                {row.can_retry.then(|| view! {
                    <button form="task-actions" name="id" value=id.clone() formaction=RetryTask::url() on:click=on_retry>
                        "Retry"
                    </button>
                })}
                {row.can_abandon.then(|| view! {
                    <button form="task-actions" name="id" value=id formaction=CancelTask::url() on:click=on_cancel>
                        {cancel_word}
                    </button>
                })}
            </div>
        </details>
    })
}
