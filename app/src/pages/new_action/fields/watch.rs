//! Onto the watch list, or off it.

use leptos::prelude::*;
use model::{
    Action,
    action::{ActionWords, Watch, WatchOperation},
};

use super::form::{Fields, FormContext};
use crate::components::values::numbers::people;
use crate::{components::type_erasure::Erase, help::hint::Hint, pages::new_action::draft::Draft};

pub const FIELDS: Fields = Fields {
    title: "Watch list",
    hint: Some(Hint::Watch),
    names: &["operation"],
    is_kept: false,
    tidy: |_| (),
    action: |draft| Action::watch(draft.choice("operation")),
    controls,
    button: |count| format!("Change watch list for {}", people(count)),
};

/// What was chosen, as fields of the form.
pub fn pairs(watch: &Watch) -> Vec<(&'static str, String)> {
    vec![("operation", watch.operation.to_string())]
}

fn controls(draft: &Draft, around: &FormContext) -> AnyView {
    let count = around.count;
    // What it is for, unless something else was chosen.
    let chosen = match draft.choice("operation") {
        "" => WatchOperation::Watch.name().to_owned(),
        chosen => chosen.to_owned(),
    };
    let hint = |operation| match operation {
        WatchOperation::Watch => "Added to your watch list; if already on it, the date is renewed",
        WatchOperation::Unwatch => "Removed from your watch list",
    };
    let choices = WatchOperation::ALL
        .iter()
        .map(|operation| {
            let name = operation.name();
            view! {
                <label class="choice">
                    <input
                        type="radio"
                        name="operation"
                        value=name
                        checked=chosen == name
                        data-says=Watch { operation: *operation }.button(&people(count))
                    />
                    <span>{operation.label()}<small>{hint(*operation)}</small></span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="field" id="operation" tabindex="-1" data-begins=around.wrong("operation").is_some() aria-describedby="operation-problem">
            <legend>"What to do"</legend>
            <div class="choices">{choices}</div>
            <span class="problem" id="operation-problem">{around.wrong("operation")}</span>
        </fieldset>
    }
    .erase()
}
