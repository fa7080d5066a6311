//! The question before a task is given up: a dialog with scripts; without them the same, opened by the address.

use crate::components::values::numbers::units;
use crate::components::{optional::Optional, type_erasure::Erase};
use leptos::{prelude::*, server_fn::ServerFn};
use model::{TaskRow, TaskState, kind::Effect};

use crate::{pages::tasks::api::CancelTask, url};

/// The id of the dialog, and the key that opens it without scripts.
pub const DIALOG: &str = "cancel";

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
                    <label for="cancel-why">"Reason"<Optional/></label>
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
        _ if row.state == TaskState::Unapproved => ["Keep waiting", "Cancel task"],
        true => ["Keep it", "Cancel email"],
        false => ["Keep running", "Cancel the rest"],
    }
}

/// Whether it is an email of which nothing has left, as far as anybody knows.
fn is_unsent(row: &TaskRow) -> bool {
    row.succeeded + row.uncertain == 0 && row.description().cannot_be_taken_back
}

/// What stays and what is left.
fn consequence(row: &TaskRow) -> String {
    let kind = row.description();
    match (row.succeeded, row.open()) {
        _ if is_unsent(row) => "No email has been sent yet. If you cancel now, nobody is emailed.".to_owned(),
        _ if !kind.has_people() => "The remaining steps will not run.".to_owned(),
        _ if kind.effect == Effect::Reads => "No file will be created.".to_owned(),
        (0, _) if !kind.cannot_be_taken_back => "If you cancel now, nobody is changed.".to_owned(),
        (done, left) => {
            let first = format!("{} already {}.", units(&kind, done), kind.done);
            if left == 0 { first } else { format!("{first} The rest ({}) are left as they are.", units(&kind, left)) }
        }
    }
}
