//! The first step: the new status, its reason, a comment. Few people can be changed right away; for more it leads to the
//! check.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{ChangeReason, Problem, ProgramStatus, SelectionView, action::WITHOUT_PREVIEW, people};

use super::{
    api::SubmitProgramStatus,
    draft::{Draft, PATH},
};
use crate::{
    components::{blank::Notice, icon::Icon, textarea::TextArea},
    url,
};

/// The form, with what is wrong in it.
#[component]
pub fn ComposeForm(draft: Draft, search: String, selected: SelectionView) -> impl IntoView {
    let refusal = url::refusal(&search);
    let draft = draft.given_back(refusal.as_ref());
    let tried = url::value(&search, "step").is_some();
    let problem = match refusal {
        Some(refusal) => Some(refusal.0),
        None if tried => draft.action().err(),
        None => None,
    };
    let at = |field: &str| problem.as_ref().and_then(|problem| problem.message_for(field)).map(str::to_owned);
    let count = selected.count;
    let direct = count <= WITHOUT_PREVIEW;
    let back = format!("/people?sel={}", draft.sel);
    let submit = direct.then(|| view! {
        <button class="button primary large" formmethod="post" formaction=SubmitProgramStatus::url() data-count=count.to_string()>
            {button(&draft.program_status, count)}
        </button>
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href=back.clone()>"People"</a></li></ol>
                <h1>"Set program status"</h1>
                <p class="facts"><span>{format!("{} selected", people(count))}</span></p>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Choose"</li><li>"Check"</li></ol>
        </header>
        {problem.as_ref().map(|problem| view! { <Notice title=problem.title.clone() text=summary(problem)/> })}
        <form id="compose" class="compose stack measure" method="get" action=PATH>
            <input type="hidden" name="sel" value=draft.sel.clone()/>
            <input type="hidden" name="step" value="check"/>
            <Statuses chosen=draft.program_status.clone() problem=at("programStatus")/>
            <Reasons chosen=draft.change_reason.clone() problem=at("changeReason")/>
            <TextArea label="Comment" name="comment" value=draft.comment hint="Shown in each person’s history." problem=at("comment")/>
            <ReasonField value=draft.reason problem=at("reason")/>
            {(selected.everyone && direct).then(|| view! { <EveryoneTick count/> })}
            <div class="line">
                <button class=if direct { "button large" } else { "button primary large" }>
                    {if direct { "Check first" } else { "Check what will happen" }}
                </button>
                {submit}
                <a class="button quiet large" href=back>"Back without changing anyone"</a>
            </div>
        </form>
    }
}

#[component]
fn Statuses(chosen: String, problem: Option<String>) -> impl IntoView {
    let choices = ProgramStatus::ALL
        .iter()
        .map(|option| {
            let name = option.name();
            view! {
                <label class="choice">
                    <input type="radio" id=format!("status-{name}") name="programStatus" value=name checked=chosen == name/>
                    <span>{option.label()}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="field" aria-describedby="status-problem">
            <legend>"New status"</legend>
            <div class="choices">{choices}</div>
            <span class="problem" id="status-problem">{problem}</span>
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
            <label for="changeReason">"Why they do not take part"</label>
            <span class="select">
                <select
                    id="changeReason"
                    name="changeReason"
                    aria-describedby="changeReason-problem"
                    aria-invalid=problem.is_some().then_some("true")
                >
                    <option value="">"Choose a reason"</option>
                    {options}
                </select>
                <Icon name="down"/>
            </span>
            <span class="problem" id="changeReason-problem">{problem}</span>
        </div>
    }
}

/// Why it is done, for the task.
#[component]
pub fn ReasonField(value: String, problem: Option<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="reason">"Reason " <span class="soft">"(optional)"</span></label>
            <input
                class="input"
                id="reason"
                name="reason"
                value=value
                aria-describedby="reason-hint reason-problem"
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="hint" id="reason-hint">"Kept with the task, so that you and others know why it was done."</span>
            <span class="problem" id="reason-problem">{problem}</span>
        </div>
    }
}

/// The extra box when nothing narrows the selection.
#[component]
pub fn EveryoneTick(count: u64) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="checkbox" name="everyone" value="yes" required/>
            <span>{format!("I mean everyone, all {}", people(count))}<small>"Asked because no filter is set"</small></span>
        </label>
    }
}

/// `Set 12 people to Inactive`, or while nothing is chosen `Set 12 people to …`.
pub fn button(status: &str, count: u64) -> String {
    match status.parse::<ProgramStatus>() {
        Ok(status) => format!("Set {} to {}", people(count), status.label()),
        Err(_) => format!("Set {} to …", people(count)),
    }
}

/// What is wrong, unless each field says it itself.
fn summary(problem: &Problem) -> String {
    match problem.errors.len() {
        0 => problem.detail.clone(),
        1 => "One thing is to be put right below.".to_owned(),
        n => format!("{n} things are to be put right below."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_button_says_what_it_does() {
        assert_eq!(button("INACTIVE", 12), "Set 12 people to Inactive");
        assert_eq!(button("", 1), "Set 1 person to …");
    }
}
