//! The new status, its reason, a comment.

use leptos::prelude::*;
use model::{Action, ChangeReason, ProgramStatus, action::StatusChange};

use super::form::{Fields, FormContext};
use crate::components::values::numbers::people;
use crate::{
    components::{icon::Icon, textarea::TextArea, type_erasure::Erase},
    help::hint::Hint,
    pages::new_action::draft::Draft,
};

pub const FIELDS: Fields = Fields {
    title: "Set program status",
    hint: Some(Hint::Status),
    names: &["programStatus", "changeReason", "comment"],
    is_kept: false,
    // The list of reasons is shown for one status only.
    tidy: |choices| {
        let status = choices.get("programStatus").and_then(|status| status.parse::<ProgramStatus>().ok());
        if status.is_some_and(|status| !status.needs_reason()) {
            choices.remove("changeReason");
        }
    },
    action: |draft| {
        Action::program_status(draft.choice("programStatus"), draft.choice("changeReason"), draft.choice("comment"))
    },
    controls,
    button: |count| format!("Set {} to the new status", people(count)),
};

/// What was chosen, as fields of the form.
pub fn pairs(change: &StatusChange) -> Vec<(&'static str, String)> {
    let mut pairs = vec![("programStatus", change.program_status.to_string())];
    pairs.extend(change.change_reason.map(|reason| ("changeReason", reason.to_string())));
    pairs.extend(change.comment.clone().map(|comment| ("comment", comment)));
    pairs
}

fn controls(draft: &Draft, around: &FormContext) -> AnyView {
    let count = around.count;
    let (chosen, comment) = (draft.choice("programStatus").to_owned(), draft.choice("comment").to_owned());
    view! {
        <Statuses chosen count problem=around.wrong("programStatus")/>
        <Reasons chosen=draft.choice("changeReason").to_owned() problem=around.wrong("changeReason")/>
        <TextArea label="Comment" name="comment" value=comment hint="Shown in each person’s history." problem=around.wrong("comment")/>
    }
    .erase()
}

#[component]
fn Statuses(chosen: String, count: u64, problem: Option<String>) -> impl IntoView {
    let choices = ProgramStatus::ALL
        .iter()
        .map(|option| {
            let name = option.name();
            let says = format!("Set {} to {}", people(count), option.label());
            view! {
                <label class="choice">
                    <input
                        type="radio"
                        id=format!("status-{name}")
                        name="programStatus"
                        value=name
                        checked=chosen == name
                        data-says=says
                    />
                    <span>{option.label()}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="field" id="programStatus" tabindex="-1" data-begins=problem.is_some().then_some("") aria-describedby="status-problem">
            <legend>"New status"</legend>
            <div class="choices">{choices}</div>
            <span class="problem" id="status-problem">{problem.clone()}</span>
        </fieldset>
    }
}

/// The reasons; the stylesheet shows them for the one status that has any.
#[component]
fn Reasons(chosen: String, problem: Option<String>) -> impl IntoView {
    let options = ChangeReason::ALL
        .iter()
        .map(|reason| view! { <option value=reason.name() selected=chosen == reason.name()>{reason.label()}</option> })
        .collect_view();
    view! {
        <div class="field needs-reason">
            <label for="changeReason">"Reason for not participating"</label>
            <span class="select">
                <select
                    id="changeReason"
                    name="changeReason"
                    aria-describedby="changeReason-hint changeReason-problem"
                    aria-invalid=problem.is_some().then_some("true")
                >
                    <option value="">"Choose a reason"</option>
                    {options}
                </select>
                <Icon name="down"/>
            </span>
            <span class="hint" id="changeReason-hint">"Shown in each person’s history, beside the status."</span>
            <span class="problem" id="changeReason-problem">{problem}</span>
        </div>
    }
}
