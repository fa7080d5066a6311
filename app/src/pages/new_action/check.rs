//! The second step: exactly what would happen, and the last word.

use leptos::prelude::*;
use model::{Action, Preview, composer::Shown};

use super::{
    breakdown::Sum,
    confirm::Confirm,
    draft::{Draft, crumb},
    letter_preview::{CheckedLetter, Hold, stray_braces},
    sample::Sample,
};
use crate::components::values::numbers::grouped;
use crate::{
    components::{blank::Notice, values::time::Time},
    refusal::Refusal,
};

/// What was counted for a draft; `refusal` says why it could not be submitted just now.
#[component]
pub fn Checked(
    draft: Draft,
    preview: Preview,
    /// For how many seconds it waits for second thoughts.
    held: Option<u64>,
    /// What the first of them will see, of an email, and where answers go.
    letter: Option<(Shown, String)>,
    /// Whether no message can leave.
    #[prop(optional)]
    silent: bool,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let pending = preview.pending_elsewhere;
    let braces = match &preview.action {
        Action::Email(email) => stray_braces(email, draft.compose_link()),
        _ => None,
    };
    let letter = match (preview.action.clone(), letter) {
        (Action::Email(email), Some((shown, reply_to))) => Some(view! { <CheckedLetter email shown reply_to/> }),
        _ => None,
    };
    let text = match preview.action.cannot_be_taken_back() {
        true => "Another task is waiting or running for them.",
        false => "Another task is waiting or running for them. If both change the same thing, the later task wins.",
    };
    let no_mail = silent.then(|| {
        let text = "No email can be sent: each person is marked as not sent, and can be emailed later.";
        view! { <Notice tone="warn" title="Email is not set up on this server" text/> }
    });
    let refused = preview.refusal.clone().map(|text| {
        view! { <Notice tone="warn" title="Too many people for one task" text/> }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=draft.origin()>{crumb(&draft)}</a></li>
                    {draft.fields().map(|fields| view! { <li><a href=draft.compose_link()>{fields.title}</a></li> })}
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
                    <li aria-current="step">{if held.is_some() { "Check and send" } else { "Check" }}</li>
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
                    <Sum preview=preview.clone() draft=draft.clone() silent/>
                    {letter}
                </div>
                <div class="stack">
                    <Confirm draft preview=preview.clone() refusal/>
                    {held.filter(|held| *held > 0).map(|seconds| view! { <Hold seconds/> })}
                </div>
                <Sample preview silent/>
            </div>
        </div>
    }
}

/// `12 of these people have another task pending`.
fn pending_title(pending: u64) -> String {
    match pending {
        1 => "1 of these people has another task pending".to_owned(),
        n => format!("{} of these people have another task pending", grouped(n)),
    }
}
