//! The head of a task's page: what it does, its state, and what can be done about it.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::{about, grouped};
use leptos::{ev::MouseEvent, prelude::*, server_fn::ServerFn};
use model::{TaskRow, TaskState};
use wasm_bindgen::JsCast;

use crate::{
    components::{
        icon::Icon,
        trusted_html,
        values::{badge::task_badge, time::Time},
    },
    pages::{
        task::{cancel::DIALOG, progress},
        tasks::api::{RepeatTask, RetryTask},
    },
    url,
};

/// The head.
pub fn head(row: TaskRow, search: &str) -> AnyView {
    let id = row.id.to_string();
    let path = format!("/tasks/{id}");
    let ask = url::join(&path, &url::set(search, DIALOG, Some("1")));
    // Without scripts a page whose task is not at its end is loaded again by itself, but not from under a question.
    let asks = row.can_abandon && url::value(search, DIALOG).is_some();
    let (refresh, again) = match row.status.is_finished() {
        true => ("", ""),
        false => (
            if asks { "" } else { "<meta http-equiv=\"refresh\" content=\"3\">" },
            "<a class=\"button\" href=\"?\">Refresh</a>",
        ),
    };
    let line =
        row.line.clone().filter(|_| progress::sum(&row).is_none()).map(|line| view! { <p class="soft">{line}</p> });
    let total = about(&row).map(|about| view! { <span>{about}</span> });
    let reason =
        row.reason.clone().map(|reason| view! { <span><span class="clamp">"“"<bdi>{reason}</bdi>"”"</span></span> });
    // What is held is cancelled where it is counted down.
    let cancel = (row.can_abandon && row.state != TaskState::Held).then(|| {
        view! {
            <a class="button" href=ask on:click=open_dialog aria-haspopup="dialog"><Icon name="cancelled"/>"Cancel…"</a>
        }
    });
    let retry = row.can_retry.then(|| {
        view! {
            <form method="post" action=RetryTask::url()>
                <input type="hidden" name="id" value=id.clone()/>
                <button class="button primary"><Icon name="retrying"/>{retry_words(&row)}</button>
            </form>
        }
    });
    let undo = row.can_undo.then(|| {
        view! { <a class="button" href=format!("/actions/new/undo?task={id}")><Icon name="undo"/>"Undo…"</a> }
    });
    let repeat = (row.can_repeat && row.status.is_finished()).then(|| {
        view! {
            <form method="post" action=RepeatTask::url()>
                <input type="hidden" name="id" value=id.clone()/>
                <button class="button">"Repeat…"</button>
            </form>
        }
    });
    view! {
        <noscript inner_html=trusted_html::fixed(refresh)></noscript>
        <header class="head" data-task-id=id.clone() data-task-status=row.status.name()>
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/tasks">"My tasks"</a></li>
                    <li class="id">{model::short_id(row.id)}</li>
                </ol>
                <div class="title"><h1>{row.title.clone()}</h1>{task_badge(&row)}</div>
                <p class="facts">
                    {total}
                    <span>{format!("by {} ", row.owner_name)}<Time at=row.created_date/></span>
                    {reason}
                </p>
                {line}
            </div>
            <div class="line"><noscript inner_html=trusted_html::fixed(again)></noscript>{cancel}{repeat}{undo}{retry}</div>
        </header>
    }
    .erase()
}

/// Goes on with a failed task, or treats those again who failed.
fn retry_words(row: &TaskRow) -> String {
    match row.status.has_failed() {
        true => "Retry".to_owned(),
        false => format!("Retry the {} failed", grouped(row.failed)),
    }
}

/// Opens the dialog. Where there is none to open, the link leads to the page that shows it.
fn open_dialog(event: MouseEvent) {
    let dialog =
        document().get_element_by_id(DIALOG).and_then(|dialog| dialog.dyn_into::<web_sys::HtmlDialogElement>().ok());
    if dialog.is_some_and(|dialog| dialog.open() || dialog.show_modal().is_ok()) {
        event.prevent_default();
    }
}
