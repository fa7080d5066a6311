//! The question before a task is given up: a dialog with scripts; without them the same, opened by the address.

use crate::components::type_erasure::Erase;
use leptos::{ev::MouseEvent, html::Dialog, prelude::*, server_fn::ServerFn};
use model::TaskRow;

use super::head::DIALOG;
use crate::{pages::tasks::api::CancelTask, url};

/// The dialog.
#[component]
pub fn CancelDialog(now: Memo<TaskRow>, search: Memo<String>) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let first = now.get_untracked();
    let id = first.id.to_string();
    let asked = first.can_abandon && search.with_untracked(|search| url::value(search, DIALOG).is_some());
    let keep = move |event: MouseEvent| {
        if let Some(dialog) = dialog.get_untracked() {
            event.prevent_default();
            dialog.close();
        }
    };
    // Where scripts run, the question that the address asks is one like any other, once the dialog is on the page.
    let ask = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
            let _ = dialog.show_modal();
        }
    };
    Effect::new(move |_| {
        if asked {
            request_animation_frame(ask);
        }
    });
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
            <form method="post" action=CancelTask::url()>
                <h2 id="cancel-h">{format!("Cancel “{}”?", first.title)}</h2>
                <p id="cancel-d">{move || now.with(consequence)}</p>
                <div class="field">
                    <label for="cancel-why">"Reason " <span class="soft">"(optional)"</span></label>
                    <input class="input" id="cancel-why" name="reason" maxlength="500"/>
                </div>
                <input type="hidden" name="id" value=id.clone()/>
                <div class="buttons">
                    <a class="button" href=format!("/tasks/{id}") on:click=keep>{move || now.with(answers)[0]}</a>
                    <button class="button danger">{move || now.with(answers)[1]}</button>
                </div>
            </form>
        </dialog>
    }
    .erase()
}

/// The two answers to the question.
fn answers(row: &TaskRow) -> [&'static str; 2] {
    match is_unsent(row) {
        true => ["Keep it", "Cancel email"],
        false => ["Keep running", "Cancel the rest"],
    }
}

/// Whether it is an email of which nothing has left.
fn is_unsent(row: &TaskRow) -> bool {
    row.succeeded == 0 && row.description().cannot_be_taken_back
}

/// What stays and what is left.
fn consequence(row: &TaskRow) -> String {
    let kind = row.description();
    let people = |n| kind.counted(n);
    match (row.succeeded, row.open()) {
        (_, left) if is_unsent(row) => {
            format!("No email has been sent yet. If you cancel now, none of the {} gets one.", people(left))
        }
        _ if !kind.has_people() => "It changes nobody. The steps that are left do not happen.".to_owned(),
        (0, _) => "Nobody has been changed yet. Everyone is left as they are.".to_owned(),
        (done, left) => {
            let word = kind.done;
            let first = format!("{} already {word} stay {word}.", people(done));
            if left == 0 { first } else { format!("{first} The other {} are left as they are.", people(left)) }
        }
    }
}
