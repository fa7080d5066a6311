//! The first step: the new status, its reason, a comment. Few people can be changed right away; for more it leads to the
//! check.

use leptos::{ev::SubmitEvent, form::FromFormData, prelude::*, server_fn::ServerFn};
use model::{ChangeReason, Problem, ProgramStatus, SelectionView, action::WITHOUT_PREVIEW, people};

use super::{
    api::SubmitProgramStatus,
    draft::{Draft, PATH},
};
use crate::components::{blank::Notice, form::QueryForm, icon::Icon, textarea::TextArea};

/// The form.
#[component]
pub fn ComposeForm(
    draft: Draft,
    tried: bool,
    selected: SelectionView,
    submit: ServerAction<SubmitProgramStatus>,
) -> impl IntoView {
    let refusal = submit.value().get_untracked().and_then(Result::err);
    let draft = draft.given_back(refusal.as_ref());
    let problem = RwSignal::new(match refusal {
        Some(refusal) => Some(refusal.0),
        None if tried => draft.action().err(),
        None => None,
    });
    Effect::new(move |_| {
        if let Some(Err(refusal)) = submit.value().get() {
            problem.set(Some(refusal.0));
        }
    });
    let at = move |field: &'static str| Signal::derive(move || problem.get().and_then(|p| p.message_for(field).map(str::to_owned)));
    let status = RwSignal::new(draft.program_status.clone());
    let count = selected.count;
    let direct = count <= WITHOUT_PREVIEW;
    let on_post = move |event: SubmitEvent| {
        if let Ok(call) = SubmitProgramStatus::from_event(&event) {
            event.prevent_default();
            submit.dispatch(call);
        }
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=format!("/people?sel={}", draft.sel)>"People"</a></li>
                </ol>
                <h1>"Set program status"</h1>
                <p class="facts"><span>{format!("{} selected", people(count))}</span></p>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Choose"</li><li>"Check"</li></ol>
        </header>
        {move || problem.get().map(|problem| view! { <Notice title=problem.title.clone() text=summary(&problem)/> })}
        <QueryForm id="compose" action=PATH class="compose stack measure" on_post=on_post>
            <input type="hidden" name="sel" value=draft.sel.clone()/>
            <input type="hidden" name="step" value="check"/>
            <Statuses status problem=at("programStatus")/>
            <Reasons chosen=draft.change_reason.clone() problem=at("changeReason")/>
            {move || {
                let value = draft.comment.clone();
                view! {
                    <TextArea
                        label="Comment"
                        name="comment"
                        value
                        hint="Shown in each person’s history."
                        problem=at("comment").get().unwrap_or_default()
                    />
                }
            }}
            <ReasonField value=draft.reason.clone() problem=at("reason")/>
            {selected.everyone.then(|| view! { <EveryoneTick count/> })}
            <div class="line">
                <button class=if direct { "button large" } else { "button primary large" }>
                    {if direct { "Check first" } else { "Check what will happen" }}
                </button>
                {direct.then(|| view! {
                    <button
                        class="button primary large"
                        formmethod="post"
                        formaction=SubmitProgramStatus::url()
                        disabled=move || submit.pending().get()
                    >
                        {move || button(&status.get(), count)}
                    </button>
                })}
                <a class="button quiet large" href=format!("/people?sel={}", draft.sel)>"Back without changing anyone"</a>
            </div>
        </QueryForm>
    }
    .into_any()
}

#[component]
fn Statuses(status: RwSignal<String>, problem: Signal<Option<String>>) -> impl IntoView {
    let chosen = status.get_untracked();
    let choices = ProgramStatus::ALL
        .iter()
        .map(|option| {
            let name = option.name();
            view! {
                <label class="choice">
                    <input
                        type="radio"
                        id=format!("status-{name}")
                        name="programStatus"
                        value=name
                        checked=chosen == name
                        on:change=move |_| status.set(name.to_owned())
                    />
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
    .into_any()
}

/// The reasons; the stylesheet shows them for the one status that has any.
#[component]
fn Reasons(chosen: String, problem: Signal<Option<String>>) -> impl IntoView {
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
                    aria-invalid=move || problem.get().map(|_| "true")
                >
                    <option value="">"Choose a reason"</option>
                    {options}
                </select>
                <Icon name="down"/>
            </span>
            <span class="problem" id="changeReason-problem">{problem}</span>
        </div>
    }
    .into_any()
}

/// Why it is done, for the task.
#[component]
pub fn ReasonField(value: String, #[prop(into)] problem: Signal<Option<String>>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="reason">"Reason " <span class="soft">"(optional)"</span></label>
            <input class="input" id="reason" name="reason" value=value aria-describedby="reason-hint reason-problem"/>
            <span class="hint" id="reason-hint">"Kept with the task, so that you and others know why it was done."</span>
            <span class="problem" id="reason-problem">{problem}</span>
        </div>
    }
    .into_any()
}

/// The extra box when nothing narrows the selection.
#[component]
pub fn EveryoneTick(count: u64) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="checkbox" name="everyone" value="yes" required/>
            <span>
                {format!("I mean everyone, all {}", people(count))}
                <small>"Asked because no filter is set"</small>
            </span>
        </label>
    }
    .into_any()
}

/// `Set 12 people to Inactive`, or while nothing is chosen `Set 12 people`.
fn button(status: &str, count: u64) -> String {
    match status.parse::<ProgramStatus>() {
        Ok(status) => format!("Set {} to {}", people(count), status.label()),
        Err(_) => format!("Set {}", people(count)),
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
        assert_eq!(button("", 1), "Set 1 person");
    }
}
