//! States in a badge: always an icon, a word and a tint.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{Outcome, ProgramStatus, TaskState};

use super::icon::Icon;

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
    match ProgramStatus::ALL.iter().find(|status| status.label() == word || status.name() == word) {
        Some(status) => view! { <StatusBadge status=*status/> }.erase(),
        None => word.erase(),
    }
}

/// A task's state, with its number.
#[component]
pub fn TaskBadge(state: TaskState, #[prop(into)] label: String) -> impl IntoView {
    let (icon, tone) = match state {
        TaskState::Scheduled => ("scheduled", ""),
        TaskState::Waiting => ("waiting", "info"),
        TaskState::Retrying => ("retrying", "warn"),
        TaskState::Running => ("running", "accent"),
        TaskState::Done => ("done", "ok"),
        TaskState::DoneWithProblems => ("problems", "warn"),
        TaskState::Failed => ("failed", "danger"),
        TaskState::CouldNotStart => ("nostart", "danger"),
        TaskState::Cancelled => ("cancelled", ""),
        TaskState::Abandoned => ("abandoned", ""),
    };
    view! { <Badge icon tone text=label/> }
}

/// What became of one person.
#[component]
pub fn OutcomeBadge(outcome: Option<Outcome>) -> impl IntoView {
    let (icon, tone, text) = match outcome {
        Some(outcome @ Outcome::Done) => ("done", "ok", outcome.label()),
        Some(outcome @ Outcome::Skipped) => ("skipped", "", outcome.label()),
        Some(outcome @ Outcome::Failed) => ("failed", "danger", outcome.label()),
        Some(outcome @ Outcome::Uncertain) => ("uncertain", "warn", outcome.label()),
        None => ("abandoned", "", "Not treated"),
    };
    view! { <Badge icon tone text/> }
}

/// From one status to another: `becomes` before it happens, `became` after.
#[component]
pub fn NowThen(now: Option<String>, then: Option<String>, verb: &'static str) -> impl IntoView {
    let changed = then.is_some() && then != now;
    view! {
        <span class="now-then">
            {now.map(|word| view! { <WordBadge word/> })}
            {changed.then(|| view! {
                <Icon name="right-arrow"/>
                <span class="hidden">{verb}</span>
                <WordBadge word=then.unwrap_or_default()/>
            })}
        </span>
    }
    .erase()
}
