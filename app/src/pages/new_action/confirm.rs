//! The last word: what was checked is submitted, after whatever its size asks for.

use crate::components::type_erasure::Erase;
use crate::components::values::{
    numbers::{grouped, people},
    time::Time,
};
use leptos::{prelude::*, server_fn::ServerFn};
use model::{Action, Preview, Problem, Sending, action::ColumnGroup, submission::WITHOUT_NUMBER};

use super::{
    api::SubmitAction,
    choose::{EveryoneTick, ReasonField},
    draft::{Draft, PeopleSource},
};
use crate::{
    components::blank::Notice,
    pages::done::Done,
    refusal::{Refusal, wrong},
};

/// The panel. When nobody would change there is nothing to submit.
#[component]
pub fn Confirm(
    draft: Draft,
    preview: Preview,
    /// Whether the people were selected one by one.
    picked: bool,
    /// How long the file of an export is kept.
    file_kept: String,
    sending: Sending,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let draft = draft.given_back(refusal.as_ref());
    let back = draft.compose_link();
    if preview.will_change == 0 {
        let (said, other) = match draft.source() {
            PeopleSource::File => ("Every line would be skipped.", "Choose another file"),
            _ => ("Everyone here would be skipped.", "Choose something else"),
        };
        return view! {
            <section class="panel sunken stays" aria-labelledby="h-confirm">
                <h2 id="h-confirm">"Nothing to do"</h2>
                <p>{said}</p>
                {draft.fields().map(|_| view! { <a class="button wide" href=back>{other}</a> })}
                <a class="button quiet wide" href=draft.origin()>"Back to where you were"</a>
            </section>
        }
        .erase();
    }
    // There is nothing to confirm where no number would do.
    if preview.refusal.is_some() {
        return view! {
            <section class="panel sunken stays" aria-labelledby="h-confirm">
                <h2 id="h-confirm">"Cannot be submitted"</h2>
                <p>"Too many people are selected for one task."</p>
                <a class="button wide" href=draft.origin()>"Select fewer people"</a>
                {draft.fields().map(|_| view! { <a class="button quiet wide" href=back>"Back"</a> })}
            </section>
        }
        .erase();
    }
    let at = |field: &str| wrong(refusal.as_ref(), field);
    let given = |field: &str| refusal.as_ref().and_then(|refusal| refusal.given(field));
    let (typed, ticked) = (given("confirmTotal"), given("everyone").is_some_and(|tick| !tick.is_empty()));
    let token = preview.preview_token.to_string();
    // What there was a form for was asked there.
    let asked = draft.fields().is_some() && draft.source() == PeopleSource::Selection;
    let kept = draft.pairs().into_iter().filter(|(name, _)| asked || *name != "reason");
    let hidden = kept
        .chain([("kind", draft.kind.as_str()), ("preview", token.as_str())])
        .map(|(name, value)| view! { <input type="hidden" name=name.to_owned() value=value.to_owned()/> })
        .collect_view();
    let total = preview.total;
    let undo = draft.fields().is_none();
    let refused = refusal.as_ref().and_then(|refusal| refused(&refusal.0, !asked, (!undo).then(|| back.clone())));
    let (leave, back) = match draft.source() {
        _ if undo => ("Cancel", draft.origin()),
        PeopleSource::File => ("Choose another file", back),
        PeopleSource::Selection | PeopleSource::Task => ("Back", back),
    };
    // When an email is sent that has no time of its own stands below.
    let start = match draft.start.is_empty() {
        true if preview.action.cannot_be_taken_back() => None,
        true if preview.approval.is_some() => Some("starts once it is approved".to_owned().into_any()),
        true => Some("starts now".to_owned().into_any()),
        false => draft.start().ok().flatten().map(|at| view! { "starts "<Time at ahead=true/> }.into_any()),
    };
    let comment = draft.pairs().into_iter().find(|(name, text)| *name == "comment" && !text.is_empty());
    let comment = comment.map(|(_, text)| text.to_owned());
    let reason = Some(draft.reason.clone()).filter(|reason| asked && !reason.is_empty());
    let can_be_undone = preview.action.changes_people() && !undo && !preview.action.cannot_be_taken_back();
    let exported = match &preview.action {
        Action::Export(export) => Some(view! {
            <dt>"Columns"</dt>
            <dd>{columns_of(&export.columns)}</dd>
            <dt>"File"</dt>
            <dd>{format!("only you can download it, for {file_kept}")}</dd>
        }),
        _ => None,
    };
    let facts = (can_be_undone || start.is_some() || comment.is_some() || reason.is_some()).then(|| {
        view! {
            <dl class="defs">
                {start.map(|start| view! { <dt>"Time"</dt><dd>{start}</dd> })}
                {exported}
                {comment.map(|comment| view! { <dt>"Comment"</dt><dd>{comment}</dd> })}
                {reason.map(|reason| view! { <dt>"Reason"</dt><dd>{reason}</dd> })}
                {can_be_undone.then(|| view! { <dt>"Undo"</dt><dd>"possible on the task’s page"</dd> })}
            </dl>
        }
    });
    let stopped = sending.stops(&preview.action);
    // Its text is a draft already.
    let keep = stopped.then(|| {
        let kept = draft.link(&[("done", Done::DraftSaved.name())]);
        view! { <a class="button primary large wide" href=kept>"Keep as draft"</a> }
    });
    let drift =
        Some(drift(&preview, picked)).filter(|said| draft.source() == PeopleSource::Selection && !said.is_empty());
    let drift = drift.map(|said| view! { <p class="meta soft">{said}</p> });
    // Of what had better be kept, all that is about submitting it stands together.
    let (drift, last) = if stopped { (None, drift) } else { (drift, None) };
    let submit = if stopped { "button large wide" } else { "button primary large wide" };
    let number = preview.needs_number.then(|| {
        let hint = number_hint(&preview, sending);
        view! { <Number count=preview.will_change hint typed=typed problem=at("confirmTotal")/> }
    });
    view! {
        <form class="panel sunken stays" method="post" action=SubmitAction::url() aria-labelledby="h-confirm">
            <h2 id="h-confirm">{if stopped { "Keep it, or submit it anyway" } else { "Confirm" }}</h2>
            {refused}
            {hidden}
            {keep}
            {(!asked).then(|| view! { <ReasonField value=draft.reason.clone() problem=at("reason")/> })}
            {facts}
            {drift}
            {number}
            {preview.everyone.then(|| view! { <EveryoneTick count=total ticked/> })}
            <div class="stack tight">
                <button class=submit>{sending.button(&preview.action, &people(preview.will_change))}</button>
                {last}
                <a class="button quiet wide" href=back>{leave}</a>
            </div>
        </form>
    }
    .erase()
}

/// What a file will hold of each person.
fn columns_of(groups: &[ColumnGroup]) -> String {
    let groups = groups.iter().map(|group| group.label().to_lowercase());
    std::iter::once("school ID and name".to_owned()).chain(groups).collect::<Vec<_>>().join(", ")
}

/// The number of people who will change, typed by hand.
#[component]
fn Number(count: u64, hint: String, typed: Option<String>, problem: Option<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="confirmTotal">"Type " <strong>{grouped(count)}</strong> " to confirm"</label>
            <input
                class="input short"
                id="confirmTotal"
                name="confirmTotal"
                inputmode="numeric"
                autocomplete="off"
                required
                value=typed
                aria-describedby="number-hint number-problem"
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="problem" id="number-problem">{problem}</span>
            <span class="hint" id="number-hint">
                {hint}
            </span>
        </div>
    }
}

/// What the number is, and why it is asked for.
fn number_hint(preview: &Preview, sending: Sending) -> String {
    match preview.action.cannot_be_taken_back() {
        true if sending.stops(&preview.action) => "How many people the email is for.".to_owned(),
        true => "The number of people who get the email. It is asked for every email, because a sent one cannot be recalled."
            .to_owned(),
        false => {
            let many = people(WITHOUT_NUMBER);
            format!("The number of people who will change. It is asked when they are more than {many}.")
        }
    }
}

/// What is said of a refusal beside the fields here: all of it that is about none of them, with the way to where it can be mended.
fn refused(problem: &Problem, has_reason: bool, change: Option<String>) -> Option<AnyView> {
    if problem.errors.is_empty() {
        return Some(
            view! {
                <Notice title=problem.title.clone() text=problem.detail.clone()/>
                <p class="soft">"The numbers here have been counted again."</p>
            }
            .erase(),
        );
    }
    let text = without_field(problem, has_reason)?;
    Some(match change {
        Some(back) => view! { <Notice title=problem.title.clone() text link=(back, "Change it")/> }.erase(),
        None => view! { <Notice title=problem.title.clone() text/> }.erase(),
    })
}

/// What is wrong with an answer that was given on another page.
fn without_field(problem: &Problem, has_reason: bool) -> Option<String> {
    let is_here = |field: &str| field == "confirmTotal" || (has_reason && field == "reason");
    let others = problem.errors.iter().filter(|error| !is_here(&error.field));
    let text = others.map(|error| error.message.as_str()).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// When the submit is refused, or what holds for many people.
fn drift(preview: &Preview, picked: bool) -> String {
    if picked {
        return String::new();
    }
    let allowed = match preview.drift_allowed {
        0 => "Nothing is submitted if the list changes.".to_owned(),
        // Of so few anybody may come or go.
        n if n >= preview.total => String::new(),
        n => format!("Nothing is submitted if the list changes by more than {}.", people(n)),
    };
    match preview.frozen {
        true => allowed,
        false => format!("{allowed} The task includes everyone who matches when it starts.").trim_start().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use model::FieldError;

    use super::*;

    #[test]
    fn a_refusal_of_an_answer_from_another_page_is_said_on_the_check() {
        let error = |field: &str| FieldError::new(field, "invalid", format!("{field} is wrong."));
        let said = |fields: &[&str], has_reason| {
            without_field(&Problem::fields(fields.iter().map(|field| error(field)).collect()), has_reason)
        };
        assert_eq!(said(&["triggerDate"], true).as_deref(), Some("triggerDate is wrong."));
        assert_eq!(said(&["confirmTotal", "reason"], false).as_deref(), Some("reason is wrong."));
        assert_eq!(said(&["confirmTotal", "reason"], true), None, "each stands beside its own field");
    }
}
