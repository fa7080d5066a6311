//! The last word: what was checked is submitted, after whatever its size asks for.

use crate::components::erase::Erase;
use leptos::{prelude::*, server_fn::ServerFn};
use model::{Preview, action::WITHOUT_NUMBER, grouped, people};

use super::{
    api::SubmitProgramStatus,
    draft::Draft,
    form::{EveryoneTick, ReasonField},
};
use crate::{components::blank::Notice, refusal::Refusal};

/// The panel. When nobody would change there is nothing to submit.
#[component]
pub fn Confirm(draft: Draft, preview: Preview, refusal: Option<Refusal>) -> impl IntoView {
    let draft = draft.given_back(refusal.as_ref());
    let back = draft.compose_link();
    if preview.will_change == 0 {
        return view! {
            <section class="panel sunken stays" aria-labelledby="h-confirm">
                <h2 id="h-confirm">"Nothing to do"</h2>
                <p>"Nobody would change: everyone you selected would be skipped."</p>
                <a class="button wide" href=back>"Choose something else"</a>
                <a class="button quiet wide" href=format!("/people?sel={}", draft.sel)>"Back to people"</a>
            </section>
        }
        .erase();
    }
    let at = |field: &str| refusal.as_ref().and_then(|refusal| refusal.0.message_for(field)).map(str::to_owned);
    let refused = refusal.as_ref().filter(|refusal| refusal.0.errors.is_empty()).map(|refusal| {
        view! {
            <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/>
            <p class="soft">"The numbers here have been counted again."</p>
        }
    });
    let hidden = [
        ("sel", draft.sel.clone()),
        ("programStatus", draft.program_status.clone()),
        ("changeReason", draft.change_reason.clone()),
        ("comment", draft.comment.clone()),
        ("preview", preview.preview_token.to_string()),
    ]
    .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
    .into_iter()
    .collect_view();
    let total = preview.total;
    view! {
        <form class="panel sunken stays" method="post" action=SubmitProgramStatus::url() aria-labelledby="h-confirm">
            <h2 id="h-confirm">"Confirm"</h2>
            {refused}
            {hidden}
            <ReasonField value=draft.reason.clone() problem=at("reason")/>
            <dl class="defs">
                <dt>"Time"</dt>
                <dd>"starts at once"</dd>
                <dt>"If it drifts"</dt>
                <dd>{drift(&preview)}</dd>
            </dl>
            {preview.needs_number.then(|| view! { <Number count=preview.will_change problem=at("confirmTotal")/> })}
            {preview.everyone.then(|| view! { <EveryoneTick count=total/> })}
            <div class="stack tight">
                <button class="button primary large wide">{preview.action.button(preview.will_change)}</button>
                <a class="button quiet wide" href=back>"Back without changing anyone"</a>
            </div>
        </form>
    }
    .erase()
}

/// The number of people who will change, typed by hand.
#[component]
fn Number(count: u64, problem: Option<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="confirmTotal">"Type " <strong>{grouped(count)}</strong> " to go on"</label>
            <input
                class="input short"
                id="confirmTotal"
                name="confirmTotal"
                inputmode="numeric"
                autocomplete="off"
                required
                aria-describedby="number-hint number-problem"
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="problem" id="number-problem">{problem}</span>
            <span class="hint" id="number-hint">
                {format!("How many will change; asked above {}. Pasting is fine.", people(WITHOUT_NUMBER))}
            </span>
        </div>
    }
}

/// When the submit is refused, or what holds for many people.
fn drift(preview: &Preview) -> String {
    let allowed = match preview.drift_allowed {
        0 => "refused if anybody joins or leaves".to_owned(),
        n => format!(
            "refused if more than {} {} or leave",
            grouped(n),
            if n == 1 { "person joins" } else { "people join" }
        ),
    };
    if preview.frozen {
        format!("{allowed} before you submit")
    } else {
        format!("{allowed} before the task starts; it treats whoever matches then")
    }
}
