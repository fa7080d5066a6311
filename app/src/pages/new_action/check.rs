//! The second step: exactly what would happen, and the last word.

use leptos::prelude::*;
use model::{Action, Preview, Role, Sending, composer::Shown};

use super::{
    LAST_STEP,
    breakdown::Sum,
    confirm::Confirm,
    draft::{Draft, crumb},
    letter_preview::{CheckedLetter, Hold, stray_braces},
    sample::Sample,
};
use crate::components::values::numbers::grouped;
use crate::{
    components::{blank::Notice, type_erasure::Erase, values::time::Time},
    refusal::Refusal,
};

/// What was counted for a draft; `refusal` says why it could not be submitted just now.
#[component]
pub fn Checked(
    draft: Draft,
    preview: Preview,
    /// For how many seconds it waits for second thoughts.
    held: Option<u64>,
    /// What the first of them will see, of an email, in whose name it goes, and where answers go.
    letter: Option<(Shown, String, Option<String>)>,
    sending: Sending,
    role: Role,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let pending = preview.pending_elsewhere;
    let braces = match &preview.action {
        Action::Email(email) => stray_braces(email, draft.compose_link()),
        _ => None,
    };
    let letter = match (preview.action.clone(), letter) {
        (Action::Email(email), Some((shown, from, reply_to))) => {
            Some(view! { <CheckedLetter email shown from reply_to/> })
        }
        _ => None,
    };
    let text = match preview.action.cannot_be_taken_back() {
        true => "Another task is waiting or running for them.",
        false => "Another task is waiting or running for them. If both change the same thing, the later task wins.",
    };
    let no_mail = sending.warning(role).filter(|_| sending.stops(&preview.action));
    let no_mail = no_mail.map(|(title, text)| view! { <Notice tone="warn" title text/> });
    let refused = preview.refusal.clone().map(|text| {
        view! { <Notice tone="warn" title="Too many people for one task" text/> }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    {undone(&preview.action)}
                    {draft.fields().map(|fields| view! {
                        <li><a href=draft.origin()>{crumb(&draft)}</a></li>
                        <li><a href=draft.compose_link()>{fields.title}</a></li>
                    })}
                </ol>
                <h1>{preview.action.title()}</h1>
                <p class="facts">
                    <span>{draft.source().counted(preview.total)}</span>
                    <span>"counted " <Time at=preview.counted_date exact=true/></span>
                </p>
            </div>
            {draft.fields().map(|_| view! {
                <ol class="steps" aria-label="Steps">
                    <li>{if held.is_some() { "Write" } else { "Choose" }}</li>
                    <li aria-current="step">{if held.is_some() { sending.last_step() } else { LAST_STEP }}</li>
                </ol>
            })}
        </header>
        {no_mail}
        {refused}
        {braces}
        {(pending > 0).then(|| {
            let token = preview.preview_token.to_string();
            let href = draft.link(&[("preview", token.as_str()), ("show", "PENDING")]);
            view! { <Notice tone="warn" title=pending_title(pending) text link=(href, "Show them")/> }
        })}
        <div class="columns last">
            <div>
                <div class="stack">
                    <Sum preview=preview.clone() draft=draft.clone() sending role/>
                    {letter}
                </div>
                <div class="stack">
                    <Confirm draft preview=preview.clone() sending refusal/>
                    {held.filter(|held| *held > 0 && sending.is_ready()).map(|seconds| view! { <Hold seconds/> })}
                </div>
                <Sample preview sending/>
            </div>
        </div>
    }
}

/// Of an undo, the task that it is about.
fn undone(action: &Action) -> Option<AnyView> {
    let Action::Undo(undo) = action else { return None };
    let href = format!("/tasks/{}", undo.task);
    Some(view! { <li><a href="/tasks">"My tasks"</a></li> <li><a href=href>{undo.of.title()}</a></li> }.erase())
}

/// `12 of these people have another task pending`.
fn pending_title(pending: u64) -> String {
    match pending {
        1 => "1 of these people has another task pending".to_owned(),
        n => format!("{} of these people have another task pending", grouped(n)),
    }
}
