//! States in a badge: always an icon, a word and a tint.

use leptos::prelude::*;
use model::{Outcome, ProgramStatus, TaskRow, TaskState, person::PendingChange};

use super::time::{Time, iso, mark};
use crate::components::{icon::Icon, type_erasure::Erase};

/// A state.
#[component]
pub fn Badge(icon: &'static str, tone: &'static str, #[prop(into)] text: String) -> impl IntoView {
    view! {
        <span class=format!("badge {tone}")>
            <Icon name=icon/>
            {text}
        </span>
    }
    .erase()
}

/// What a task will do to somebody, and when, if that is not soon: a link to the task.
#[component]
pub fn PendingBadge(change: PendingChange) -> impl IntoView {
    let on = change.start_date.map_or_else(|| change.when().erase(), |at| mark(at, true));
    // Why, such as `(Health)`, is told where there is more room.
    let what = change.what().split(" (").next().unwrap_or_default().to_owned();
    let title = change.label;
    view! {
        <a class="badge pending" title=title href=format!("/tasks/{}", change.task_id)>
            <Icon name="scheduled"/>
            <span>{what}</span>
            <span>"· "{on}</span>
        </a>
    }
    .erase()
}

/// A person's program status.
#[component]
pub fn StatusBadge(status: ProgramStatus) -> impl IntoView {
    let (icon, tone) = match status {
        ProgramStatus::Active => ("active", "ok"),
        ProgramStatus::Inactive => ("inactive", ""),
        ProgramStatus::NonParticipating => ("nonpart", "warn"),
        ProgramStatus::NoShow => ("noshow", "danger"),
        ProgramStatus::Transitioned => ("transitioned", "info"),
    };
    view! { <Badge icon tone text=status.label()/> }
}

/// A program status that is given by its word, as ledgers keep it; another word stays a word.
#[component]
pub fn WordBadge(#[prop(into)] word: String) -> impl IntoView {
    // A status may come with a reason: `Non-participating (Health)`.
    let (first, reason) =
        word.split_once(" (").map_or((word.as_str(), None), |(first, rest)| (first, rest.strip_suffix(')')));
    match ProgramStatus::ALL.iter().find(|status| status.label() == first || status.name() == first) {
        Some(status) => {
            let reason = reason.map(|reason| view! { <span class="meta soft">{reason.to_owned()}</span> });
            view! { <StatusBadge status=*status/>{reason} }.erase()
        }
        None => word.erase(),
    }
}

/// The icon of a task's state, and its tint.
fn look(state: TaskState) -> (&'static str, &'static str) {
    match state {
        TaskState::Unapproved => ("approve", "info"),
        TaskState::Scheduled => ("scheduled", ""),
        TaskState::Held => ("held", "info"),
        TaskState::Waiting => ("waiting", "info"),
        TaskState::Retrying => ("retrying", "warn"),
        TaskState::Running => ("running", "accent"),
        TaskState::Done => ("done", "ok"),
        TaskState::DoneWithProblems => ("problems", "warn"),
        TaskState::Failed => ("failed", "danger"),
        TaskState::CouldNotStart => ("nostart", "danger"),
        TaskState::Cancelled | TaskState::Declined => ("cancelled", ""),
        TaskState::Abandoned => ("abandoned", ""),
    }
}

/// A state of tasks by its word alone.
pub fn state_badge(state: TaskState) -> AnyView {
    let (icon, tone) = look(state);
    view! { <Badge icon tone text=state.label()/> }.erase()
}

/// The same in a list, where how it went stands in a column of its own, and which attempt it is on its page.
pub fn listed_badge(row: &TaskRow) -> AnyView {
    match row.state {
        TaskState::DoneWithProblems if !row.label.ends_with("ndone") => state_badge(row.state),
        TaskState::Retrying => task_badge(&TaskRow { label: row.state.label().to_owned(), ..row.clone() }),
        _ => task_badge(row),
    }
}

/// A task's state, with its number or the moment it waits for: `Waiting to retry at 14:05 (attempt 3 of 5)`.
pub fn task_badge(row: &TaskRow) -> AnyView {
    let (icon, tone) = match row.label.ends_with("ndone") {
        // What was put back is no success any more.
        true => ("undo", ""),
        false => look(row.state),
    };
    let before = match row.state {
        TaskState::Scheduled => "Scheduled for ",
        TaskState::Held => "Held until ",
        TaskState::Retrying => "Waiting to retry at ",
        _ => return view! { <Badge icon tone text=row.label.clone()/> }.erase(),
    };
    let after = row.label.strip_prefix(row.state.label()).unwrap_or_default().to_owned();
    let at = row.trigger_date;
    // A script counts down to it.
    let until = (row.state == TaskState::Held).then(|| iso(at));
    view! {
        <span class=format!("badge {tone}")>
            <Icon name=icon/>
            <span data-until=until><span>{before}<Time at ahead=true/>{after}</span></span>
        </span>
    }
    .erase()
}

/// What became of one person.
#[component]
pub fn OutcomeBadge(
    outcome: Option<Outcome>,
    /// What its task calls those who failed.
    #[prop(default = Outcome::Failed.label().to_owned())]
    failed: String,
) -> impl IntoView {
    let (icon, tone, text) = match outcome {
        Some(outcome @ Outcome::Done) => ("done", "ok", outcome.label()),
        Some(outcome @ Outcome::Skipped) => ("skipped", "", outcome.label()),
        Some(Outcome::Failed) => ("failed", "danger", &*failed),
        Some(outcome @ Outcome::Uncertain) => ("uncertain", "warn", outcome.label()),
        None => ("abandoned", "", "Not processed"),
    };
    view! { <Badge icon tone text/> }
}

/// From one word to another, or from nothing to one: `becomes` before it happens, `became` after.
#[component]
pub fn NowThen(now: Option<String>, then: Option<String>, verb: &'static str) -> impl IntoView {
    let now = now.filter(|word| !word.is_empty());
    let (changed, from_something) = (then.is_some() && then != now, now.is_some());
    view! {
        <span class="now-then">
            {now.map(|word| view! { <WordBadge word/> })}
            {changed.then(|| view! {
                // An arrow stays with what it leads to.
                <span class="then">
                    {from_something.then(|| view! { <Icon name="right-arrow"/><span class="hidden">{format!(" {verb} ")}</span> })}
                    <WordBadge word=then.unwrap_or_default()/>
                </span>
            })}
        </span>
    }
    .erase()
}
