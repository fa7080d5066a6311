//! The new coach.

use leptos::prelude::*;
use model::{Action, action::ReassignCoach};

use super::form::{Fields, FormContext};
use crate::components::values::numbers::people;
use crate::{
    components::{icon::Icon, type_erasure::Erase},
    pages::new_action::draft::Draft,
};

pub const FIELDS: Fields = Fields {
    title: "Reassign coach",
    hint: None,
    names: &["coachId"],
    is_kept: false,
    tidy: |_| (),
    action: |draft| Action::reassign_coach(draft.choice("coachId")),
    controls,
    button: |count| format!("Reassign {}", people(count)),
};

/// What was chosen, as fields of the form.
pub fn pairs(reassign: &ReassignCoach) -> Vec<(&'static str, String)> {
    vec![("coachId", reassign.coach_id.to_string())]
}

fn controls(draft: &Draft, around: &FormContext) -> AnyView {
    let chosen = draft.choice("coachId").to_owned();
    let problem = around.wrong("coachId");
    let options = around
        .coaches
        .iter()
        .map(|coach| {
            let id = coach.id.to_string();
            view! { <option value=id.clone() selected=chosen == id>{coach.name.clone()}</option> }
        })
        .collect_view();
    view! {
        <div class="field">
            <label for="coachId">"New coach"</label>
            <span class="select">
                <select
                    id="coachId"
                    name="coachId"
                    required
                    aria-describedby="coachId-hint coachId-problem"
                    aria-invalid=problem.is_some().then_some("true")
                >
                    <option value="">"Choose a coach"</option>
                    {options}
                </select>
                <Icon name="down"/>
            </span>
            <span class="hint" id="coachId-hint">
                "They move to this coach’s caseload. For several coaches, "
                <a href="/people/reassign">"upload a list"</a> "."
            </span>
            <span class="problem" id="coachId-problem">{problem}</span>
        </div>
    }
    .erase()
}
