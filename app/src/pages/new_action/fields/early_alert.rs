//! What was noticed, and a comment.

use leptos::prelude::*;
use model::{
    Action,
    action::{AlertReason, EarlyAlert},
};

use super::form::{Fields, FormContext};
use crate::components::values::numbers::people;
use crate::{
    components::{textarea::TextArea, type_erasure::Erase},
    help::hint::Hint,
    pages::new_action::draft::Draft,
};

pub const FIELDS: Fields = Fields {
    title: "Early alert",
    hint: Some(Hint::EarlyAlert),
    names: &["alertReason", "comment"],
    is_kept: false,
    tidy: |_| (),
    action: |draft| Action::early_alert(draft.choice("alertReason"), draft.choice("comment")),
    controls,
    button: |count| format!("Raise an alert on {}", people(count)),
};

/// What was chosen, as fields of the form.
pub fn pairs(alert: &EarlyAlert) -> Vec<(&'static str, String)> {
    let mut pairs = vec![("alertReason", alert.alert_reason.to_string())];
    pairs.extend(alert.comment.clone().map(|comment| ("comment", comment)));
    pairs
}

fn controls(draft: &Draft, around: &FormContext) -> AnyView {
    let chosen = draft.choice("alertReason").to_owned();
    let choices = AlertReason::ALL
        .iter()
        .map(|reason| {
            let name = reason.name();
            view! {
                <label class="choice">
                    <input type="radio" name="alertReason" value=name checked=chosen == name/>
                    <span>
                        {reason.label()}
                        {(*reason == AlertReason::Other).then(|| view! { <small>"Describe it in the comment"</small> })}
                    </span>
                </label>
            }
        })
        .collect_view();
    let comment = draft.choice("comment").to_owned();
    let hint = "Shown with the alert on each person’s page, to all staff who can open it.";
    view! {
        <fieldset class="field" id="alertReason" tabindex="-1" data-begins=around.wrong("alertReason").is_some() aria-describedby="alertReason-problem">
            <legend>"What was noticed"</legend>
            <div class="choices">{choices}</div>
            <span class="problem" id="alertReason-problem">{around.wrong("alertReason")}</span>
        </fieldset>
        <TextArea label="Comment" name="comment" value=comment hint problem=around.wrong("comment")/>
    }
    .erase()
}
