//! The question before a task is given up: a dialog with scripts; without them the same, opened by the address.

use leptos::{ev::MouseEvent, form::ActionForm, html::Dialog, prelude::*};
use model::{TaskRow, people};

use super::head::{DIALOG, close};
use crate::{pages::tasks::api::CancelTask, url};

/// The dialog.
#[component]
pub fn CancelDialog(now: Memo<TaskRow>, cancel: ServerAction<CancelTask>, search: Memo<String>) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let (id, title) = now.with_untracked(|row| (row.id.to_string(), row.title.clone()));
    let path = format!("/tasks/{id}");
    let asked = search.with_untracked(|search| url::value(search, DIALOG).is_some()) && now.with_untracked(|row| row.can_abandon);
    Effect::new(move |_| {
        if cancel.pending().get() {
            close(dialog);
        }
    });
    let keep = move |event: MouseEvent| {
        if dialog.get_untracked().is_some() {
            event.prevent_default();
            close(dialog);
        }
    };
    view! {
        <dialog
            class="dialog"
            id=DIALOG
            role="alertdialog"
            aria-labelledby="cancel-h"
            aria-describedby="cancel-d"
            open=asked
            node_ref=dialog
        >
            <ActionForm action=cancel>
                <h2 id="cancel-h">{format!("Cancel “{title}”?")}</h2>
                <p id="cancel-d">{move || now.with(consequence)}</p>
                <div class="field">
                    <label for="cancel-why">"Reason " <span class="soft">"(optional)"</span></label>
                    <input class="input" id="cancel-why" name="reason" maxlength="500"/>
                </div>
                <input type="hidden" name="id" value=id/>
                <div class="buttons">
                    <a class="button" href=path on:click=keep>"Keep running"</a>
                    <button class="button danger">"Cancel the rest"</button>
                </div>
            </ActionForm>
        </dialog>
    }
    .into_any()
}

/// What stays and what is left.
fn consequence(row: &TaskRow) -> String {
    match (row.succeeded, row.open()) {
        (0, _) => "Nobody has been changed yet. Everyone is left as they are.".to_owned(),
        (done, 0) => format!("{} already changed stay changed.", people(done)),
        (done, left) => {
            format!("{} already changed stay changed. The other {} are left as they are.", people(done), people(left))
        }
    }
}
