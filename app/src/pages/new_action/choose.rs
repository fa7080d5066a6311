//! The first step: what there is to choose, a reason, a start. Few people can be changed right away; for more it leads to
//! the check.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{Problem, SelectionView, kind::Description, person::CoachChoice, submission::WITHOUT_PREVIEW};

use super::{
    LAST_STEP,
    api::SubmitAction,
    draft::{Draft, crumb},
    fields::{
        self,
        form::{Fields, FormContext},
    },
    mistakes::mistakes,
};
use crate::components::values::numbers::people;
use crate::{
    components::{optional::Optional, tip::Tip, trusted_html, type_erasure::Erase},
    url,
};

/// The form, with what is wrong in it.
#[component]
pub fn Choose(
    draft: Draft,
    fields: &'static Fields,
    search: String,
    selected: SelectionView,
    coaches: Vec<CoachChoice>,
    /// For how long a file can be downloaded.
    file_kept: String,
    /// What is wrong with the start, where it was to be checked.
    late: Option<Problem>,
) -> impl IntoView {
    let refusal = url::refusal(&search);
    let ticked = refusal.as_ref().and_then(|refusal| refusal.given("everyone")).is_some_and(|tick| !tick.is_empty());
    let draft = draft.given_back(refusal.as_ref());
    let tried = url::value(&search, "step").is_some();
    let problem = match refusal {
        Some(refusal) => Some(refusal.0),
        None if tried => Problem::both(draft.action().err(), late),
        None => None,
    };
    let at = |field: &str| problem.as_ref().and_then(|problem| problem.message_for(field)).map(str::to_owned);
    let count = selected.count;
    let changes = Description::of(&draft.kind).has_ledger();
    // A file changes nobody, so nobody has to check first.
    let direct = count <= WITHOUT_PREVIEW || !changes;
    let back = draft.origin();
    let submit = direct.then(|| {
        view! {
            <button class="button primary large" formmethod="post" formaction=SubmitAction::url() data-said>
                {fields::button(&draft, fields, count)}
            </button>
        }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href=back.clone()>{crumb(&draft)}</a></li></ol>
                <div class="line"><h1>{fields.title}</h1>{fields.hint.map(|on| view! { <Tip on/> })}</div>
                <p class="facts"><span>{format!("{} selected", people(count))}</span></p>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Choose"</li><li>{LAST_STEP}</li></ol>
        </header>
        {problem.as_ref().map(mistakes)}
        <form id="compose" class="compose stack measure" method="get" action=draft.path()>
            <input type="hidden" name="kind" value=draft.kind.clone()/>
            <input type="hidden" name="sel" value=draft.sel.clone()/>
            {(!draft.from.is_empty()).then(|| view! { <input type="hidden" name="from" value=draft.from.clone()/> })}
            <input type="hidden" name="step" value="check"/>
            {(fields.controls)(&draft, &FormContext { count, problem: problem.as_ref(), coaches: &coaches, file_kept: &file_kept })}
            <ReasonField value=draft.reason.clone() problem=at("reason")/>
            <StartField start=draft.start.clone() offset=draft.offset.clone() problem=at("start").or_else(|| at("triggerDate"))/>
            {(selected.everyone && direct).then(|| view! { <EveryoneTick count ticked/> })}
            <div class="line">
                <button class=if direct { "button large" } else { "button primary large" }>
                    {if direct { "Check first" } else { "Check what will happen" }}
                </button>
                {submit}
                <a class="button quiet large" href=back>"Cancel"</a>
            </div>
        </form>
    }
}

/// Why it is done, for the task.
#[component]
pub fn ReasonField(value: String, problem: Option<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="reason">"Reason for this task"<Optional/></label>
            <input
                class="input"
                id="reason"
                name="reason"
                value=value
                aria-describedby="reason-hint reason-problem"
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="hint" id="reason-hint">"Shown with the task, not with each person."</span>
            <span class="problem" id="reason-problem">{problem}</span>
        </div>
    }
}

/// As a value: a literal within other markup would be written as an attribute.
const ZONE: &str = "Times are in the time zone of your settings, or UTC if none is set.";

/// When to start. Scripts fill in by how much the reader's clock is behind UTC.
#[component]
pub fn StartField(
    start: String,
    offset: String,
    problem: Option<String>,
    /// Whether empty means something.
    #[prop(default = true)]
    optional: bool,
    /// What it means.
    #[prop(default = "Leave empty to start now. ")]
    empty: &'static str,
) -> impl IntoView {
    // Where there is nothing to say, nothing keeps a place free below the field.
    let zone = view! { <noscript inner_html=trusted_html::fixed(ZONE)></noscript> };
    let (hint, described) = match optional {
        true => (view! { <span class="hint" id="start-hint">{empty}{zone}</span> }.erase(), "start-hint start-problem"),
        false => (zone.erase(), "start-problem"),
    };
    view! {
        <div class="field">
            <label for="start">"Start"{optional.then(|| view! { <Optional/> })}</label>
            <input
                class="input moment"
                type="datetime-local"
                id="start"
                name="start"
                value=start
                data-local="offset"
                required=!optional
                aria-describedby=described
                aria-invalid=problem.is_some().then_some("true")
            />
            <input type="hidden" name="offset" value=offset/>
            {hint}
            <span class="problem" id="start-problem">{problem}</span>
        </div>
    }
}

/// The extra box when nothing narrows the selection.
#[component]
pub fn EveryoneTick(
    count: u64,
    /// Whether it was ticked in what was refused.
    #[prop(optional)]
    ticked: bool,
) -> impl IntoView {
    view! {
        <label class="choice">
            <input type="checkbox" name="everyone" value="yes" required checked=ticked/>
            <span>{format!("Yes, include all {}", people(count))}<small>"You have not set a filter"</small></span>
        </label>
    }
}

/// What is wrong, unless each field says it itself.
pub fn summary(problem: &Problem) -> String {
    match problem.errors.len() {
        0 => problem.detail.clone(),
        1 => "1 answer is missing or wrong.".to_owned(),
        n => format!("{n} answers are missing or wrong."),
    }
}
