//! Forms that do something: each asks for a reason, which goes into the audit, and says what it does on its button.

use leptos::prelude::*;

use crate::{
    components::{blank::Notice, icon::Icon, type_erasure::Erase},
    refusal::{Refusal, wrong},
    url,
};

/// A button of a form, with where it leads.
pub struct VerbButton {
    pub action: String,
    pub label: String,
    pub icon: &'static str,
    /// `primary`, `danger`, or nothing.
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
    let has_danger = verbs.iter().any(|verb| verb.tone == "danger");
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
    let refusal = refusal.filter(|refusal| refusal.0.message_for("reason").is_none())?;
    let (title, text) = match refusal.0.errors.first() {
        Some(error) => (refusal.0.title.clone(), error.message.clone()),
        None => (refusal.0.title.clone(), refusal.0.detail.clone()),
    };
    Some(view! { <Notice title text/> }.erase())
}

/// What has just been done, from the address.
pub fn done(search: &str) -> Option<AnyView> {
    let what = url::value(search, "done")?;
    let number = |key| url::value(search, key).and_then(|n| n.parse::<u64>().ok()).unwrap_or_default();
    let (n, left) = (number("n"), number("left"));
    let tasks = model::tasks(n);
    let (title, text) = match what.as_str() {
        "retry" => (format!("{tasks} will be tried again"), "They start as soon as there is room."),
        "abandon" => (format!("{tasks} closed"), "Their owners see your name and the reason."),
        "retried" => ("It goes on".to_owned(), "Its owner sees that you retried it, and why."),
        "abandoned" => ("Closed".to_owned(), "Its owner sees your name and the reason."),
        "put-back" => ("Back in the queue".to_owned(), "Any process that is up takes it."),
        "released" => ("The lock is released".to_owned(), "Whoever asks for it next gets it."),
        "not-held" => ("Nobody held it any more".to_owned(), "There was nothing to release."),
        "paused" => ("Paused".to_owned(), "It stays so until somebody resumes it."),
        "resumed" => ("Resumed".to_owned(), "What is due goes on at once."),
        "unchanged" => ("No change needed".to_owned(), "Nothing was changed."),
        "run" => ("It runs within seconds".to_owned(), "Its usual times stay as they are."),
        "changed" => ("Saved".to_owned(), "It holds from now on."),
        "disabled" => ("The account is disabled".to_owned(), "Its sessions and tokens have ended."),
        "enabled" => ("The account is enabled".to_owned(), "They can sign in again."),
        "revoked" => ("The token is revoked".to_owned(), "Programs that used it are locked out."),
        _ => return None,
    };
    let text = match left {
        0 => text.to_owned(),
        left => {
            format!("{text} Of those you looked at, {} had changed since and stay as they are.", model::grouped(left))
        }
    };
    Some(view! { <Notice tone="ok" title text/> }.erase())
}
