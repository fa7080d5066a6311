//! The head of a task's page: what it does, its state, and what can be done about it.

use leptos::{ev::MouseEvent, form::ActionForm, html::Dialog, prelude::*};
use model::{TaskRow, people};
use wasm_bindgen::JsCast;

use crate::{
    components::{badge::TaskBadge, icon::Icon, time::Time},
    pages::tasks::{api::RetryTask, plain_line},
    url,
};

/// The id of the dialog that asks before a task is given up.
pub const DIALOG: &str = "cancel";
/// Without scripts a running task's page is loaded again by itself.
const REFRESH: &str = "<meta http-equiv=\"refresh\" content=\"3\">";

/// The head.
#[component]
pub fn Head(now: Memo<TaskRow>, retry: ServerAction<RetryTask>, search: Memo<String>) -> impl IntoView {
    let id = now.with_untracked(|row| row.id.to_string());
    let short = id.rsplit('-').next().unwrap_or_default().chars().take(8).collect::<String>();
    let path = format!("/tasks/{id}");
    let finished = Memo::new(move |_| now.with(|row| row.status.is_finished()));
    let ask = url::join(&path, &url::set(&search.get_untracked(), DIALOG, Some("1")));
    let on_ask = |event: MouseEvent| {
        // Without a dialog to open, the link leads to the page that shows it.
        let dialog = document().get_element_by_id(DIALOG).and_then(|dialog| dialog.dyn_into::<web_sys::HtmlDialogElement>().ok());
        if dialog.is_some_and(|dialog| dialog.open() || dialog.show_modal().is_ok()) {
            event.prevent_default();
        }
    };
    let retry_id = id.clone();
    let facts = move || {
        let row = now.get();
        view! {
            <p class="facts">
                {row.total.map(|total| view! { <span>{people(total)}</span> })}
                <span>{format!("by {} ", row.owner_name)}<Time at=row.created_date/></span>
                {row.reason.map(|reason| view! { <span>{format!("“{reason}”")}</span> })}
            </p>
        }
    };
    view! {
        {(!finished.get_untracked()).then(|| view! { <noscript inner_html=REFRESH></noscript> })}
        <header class="head" data-task-id=id.clone() data-task-status=move || now.with(|row| row.status.name())>
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/tasks">"My tasks"</a></li>
                    <li class="id">{short}</li>
                </ol>
                <div class="title">
                    <h1>{move || now.with(|row| row.title.clone())}</h1>
                    {move || {
                        let row = now.get();
                        view! { <TaskBadge state=row.state label=row.label/> }
                    }}
                </div>
                {facts}
                {move || now.with(plain_line).map(|line| view! { <p class="soft">{line}</p> })}
            </div>
            <div class="line">
                {move || (!finished.get()).then(|| view! {
                    <noscript inner_html=format!("<a class=\"button\" href=\"{path}\">Refresh</a>")></noscript>
                })}
                {move || now.with(|row| row.can_abandon).then(|| view! {
                    <a class="button" href=ask.clone() on:click=on_ask aria-haspopup="dialog">
                        <Icon name="cancelled"/>
                        "Cancel…"
                    </a>
                })}
                {move || now.with(|row| row.can_retry).then(|| {
                    let id = retry_id.clone();
                    view! {
                        <ActionForm action=retry>
                            <input type="hidden" name="id" value=id/>
                            <button class="button primary" disabled=move || retry.pending().get()>
                                <Icon name="retrying"/>
                                "Retry"
                            </button>
                        </ActionForm>
                    }
                })}
            </div>
        </header>
    }
    .into_any()
}

/// The element behind the dialog's id.
pub fn close(dialog: NodeRef<Dialog>) {
    if let Some(dialog) = dialog.get_untracked() {
        dialog.close();
    }
}
