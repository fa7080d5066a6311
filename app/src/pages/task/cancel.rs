//! The question before a task is given up: a dialog with scripts; without them the same, opened by the address.

use crate::components::type_erasure::Erase;
use leptos::{prelude::*, server_fn::ServerFn};
use model::TaskRow;

use super::head::DIALOG;
use crate::{pages::tasks::api::CancelTask, url};

/// The dialog.
pub fn cancel_dialog(row: &TaskRow, search: &str) -> AnyView {
    let id = row.id.to_string();
    let asked = row.can_abandon && url::value(search, DIALOG).is_some();
    view! {
        <dialog
            class="dialog"
            id=DIALOG
            role="alertdialog"
            aria-labelledby="cancel-h"
            aria-describedby="cancel-d"
            open=asked
        >
            <form method="post" action=CancelTask::url()>
                <h2 id="cancel-h">{format!("Cancel “{}”?", row.title)}</h2>
                <p id="cancel-d">{consequence(row)}</p>
                <div class="field">
                    <label for="cancel-why">"Reason " <span class="soft">"(optional)"</span></label>
                    <input class="input" id="cancel-why" name="reason" maxlength="500"/>
                </div>
                <input type="hidden" name="id" value=id.clone()/>
                <div class="buttons">
                    <a class="button" href=format!("/tasks/{id}") data-closes=DIALOG>{answers(row)[0]}</a>
                    <button class="button danger">{answers(row)[1]}</button>
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
