//! Forms that do something: each asks for a reason, which goes into the audit, and says what it does on its button.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, icon::Icon, own_password, type_erasure::Erase},
    refusal::{Refusal, wrong},
};

/// A button of a form, with where it leads.
pub struct VerbButton {
    pub action: String,
    pub label: String,
    pub icon: &'static str,
    /// `primary`, `danger` (also `danger outlined`), or nothing.
    pub tone: &'static str,
}

impl VerbButton {
    pub fn new(
        action: impl Into<String>,
        label: impl Into<String>,
        icon: &'static str,
        tone: &'static str,
    ) -> VerbButton {
        VerbButton { action: action.into(), label: label.into(), icon, tone }
    }
}

/// A field for the reason, and a button for each verb that it can be the reason of. `hidden` are further fields.
pub fn form(
    id: &'static str,
    verbs: Vec<VerbButton>,
    hidden: Vec<(&'static str, String)>,
    refusal: Option<&Refusal>,
) -> AnyView {
    form_with(id, verbs, hidden, None, refusal)
}

/// The same, with something more to say yes to.
pub fn form_with(
    id: &'static str,
    verbs: Vec<VerbButton>,
    hidden: Vec<(&'static str, String)>,
    question: Option<AnyView>,
    refusal: Option<&Refusal>,
) -> AnyView {
    let wrong = wrong(refusal, "reason");
    let given = refusal.and_then(|refusal| refusal.given("reason")).unwrap_or_default();
    let first = verbs.first().map(|verb| verb.action.clone()).unwrap_or_default();
    let has_danger = verbs.iter().any(|verb| verb.tone.starts_with("danger"));
    let hidden = hidden.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let buttons = verbs.into_iter().map(|verb| {
        let class = format!("button {}", verb.tone);
        let action = verb.action;
        view! { <button class=class formaction=action><Icon name=verb.icon/>{verb.label}</button> }
    });
    let (field, problem) = (format!("{id}-reason"), format!("{id}-problem"));
    // Enter in the field presses the first button, which is another one once the task has gone on.
    let guard = has_danger.then(|| view! { <button disabled hidden></button> });
    view! {
        <form class="stack tight" method="post" action=first data-still>
            {guard}
            {hidden.collect_view()}
            {question}
            <div class="field">
                <label for=field.clone()>"Reason " <span class="soft">"(kept in the audit trail)"</span></label>
                <input
                    class="input"
                    id=field
                    name="reason"
                    required
                    maxlength="500"
                    autocomplete="off"
                    value=given
                    aria-describedby=problem.clone()
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="problem" id=problem>{wrong}</span>
            </div>
            <div class="line">{buttons.collect_view()}</div>
        </form>
    }
    .erase()
}

/// Whatever was refused that belongs to no field.
pub fn refused(refusal: Option<&Refusal>) -> Option<AnyView> {
    let has_field = |refusal: &&Refusal| {
        ["reason", "to", own_password::NAME].iter().any(|field| refusal.0.message_for(field).is_some())
    };
    let refusal = refusal.filter(|refusal| !has_field(refusal))?;
    let (title, text) = match refusal.0.errors.first() {
        Some(error) => (refusal.0.title.clone(), error.message.clone()),
        None => (refusal.0.title.clone(), refusal.0.detail.clone()),
    };
    Some(view! { <Notice title text/> }.erase())
}
