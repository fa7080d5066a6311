//! The second step: exactly what would happen, and the last word.

use leptos::prelude::*;
use model::{
    Action, Preview, Role, Sending, TaskKind,
    action::changes_as,
    composer::Shown,
    preview::{PendingTask, WrongLines},
};

use super::{
    LAST_STEP,
    breakdown::Sum,
    confirm::Confirm,
    draft::{Draft, crumb},
    letter_preview::{CheckedLetter, Hold, stray_braces},
    sample::Sample,
};
use crate::components::values::numbers::grouped;
use crate::pages::approvals::beside;
use crate::{
    components::{blank::Notice, icon::Icon, type_erasure::Erase, values::time::Time},
    refusal::Refusal,
};

/// What was counted for a draft; `refusal` says why it could not be submitted just now.
#[component]
pub fn Checked(
    draft: Draft,
    preview: Preview,
    /// For how many seconds it waits for second thoughts.
    held: Option<u64>,
    /// What the first of them will see, of an email, in whose name it goes, and where answers go.
    letter: Option<(Shown, String, Option<String>)>,
    /// Other tasks that change the same, as far as they can be named.
    pending: Vec<PendingTask>,
    /// Of a list, what is to be corrected in it.
    wrong: WrongLines,
    /// Whether the people were selected one by one.
    #[prop(default = false)]
    picked: bool,
    /// How long the file of an export is kept.
    #[prop(default = String::new())]
    file_kept: String,
    sending: Sending,
    role: Role,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let start = draft.start().ok().flatten();
    let pending = pending_notice(&preview, &draft, &pending);
    let braces = match &preview.action {
        Action::Email(email) => stray_braces(email, draft.compose_link()),
        _ => None,
    };
    let letter = match (preview.action.clone(), letter) {
        (Action::Email(email), Some((shown, from, reply_to))) => {
            Some(view! { <CheckedLetter email shown from reply_to/> })
        }
        _ => None,
    };
    let no_mail = sending.warning(role).filter(|_| sending.stops(&preview.action));
    let no_mail = no_mail.map(|(title, text)| view! { <Notice tone="warn" title text/> });
    let approval = preview.approval.as_ref().map(|needed| {
        let (title, text) = beside::before(needed);
        view! { <Notice tone=if needed.deciders.names.is_empty() { "warn" } else { "info" } title text/> }
    });
    let refused = preview.refusal.clone().map(|text| {
        view! { <Notice tone="warn" title="Too many people for one task" text/> }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    {undone(&preview.action)}
                    {draft.fields().map(|fields| view! {
                        <li><a href=draft.origin()>{crumb(&draft)}</a></li>
                        <li><a href=draft.compose_link()>{fields.title}</a></li>
                    })}
                </ol>
                <h1>{preview.action.title()}</h1>
                <p class="facts">
                    <span>{draft.source().counted(preview.total)}</span>
                    <span>"counted " <Time at=preview.counted_date exact=true/></span>
                </p>
            </div>
            {draft.fields().map(|_| view! {
                <ol class="steps" aria-label="Steps">
                    <li>{if held.is_some() { "Write" } else { "Choose" }}</li>
                    <li aria-current="step">{if held.is_some() { sending.last_step() } else { LAST_STEP }}</li>
                </ol>
            })}
        </header>
        {no_mail}
        {refused}
        {approval}
        {braces}
        {pending}
        <div class="columns last">
            <div>
                <div class="stack">
                    <Sum preview=preview.clone() draft=draft.clone() sending role wrong/>
                    {letter}
                </div>
                <div class="stack">
                    <Confirm draft preview=preview.clone() picked file_kept sending refusal/>
                    {held.filter(|held| *held > 0 && sending.is_ready()).filter(|_| preview.will_change > 0).map(|seconds| view! { <Hold seconds start/> })}
                </div>
                <Sample preview sending/>
            </div>
        </div>
    }
}

/// Of an undo, the task that it is about.
fn undone(action: &Action) -> Option<AnyView> {
    let Action::Undo(undo) = action else { return None };
    let href = format!("/tasks/{}", undo.task);
    Some(view! { <li><a href="/tasks">"My tasks"</a></li> <li><a href=href>{undo.of.title()}</a></li> }.erase())
}

/// So many tasks are named.
const NAMED: usize = 4;

/// The people whom another task is still to change in the same way, and which tasks these are.
fn pending_notice(preview: &Preview, draft: &Draft, tasks: &[PendingTask]) -> Option<AnyView> {
    let count = Some(preview.pending_elsewhere).filter(|count| *count > 0)?;
    let token = preview.preview_token.to_string();
    let href = draft.link(&[("preview", token.as_str()), ("show", "PENDING")]);
    let changed = changes_as(&preview.action);
    let names = tasks.iter().take(NAMED).map(|task| {
        let start = task.start_date.map(|at| view! { ", starts "<Time at ahead=true/> });
        view! {
            <li>
                <a href=format!("/tasks/{}", task.id)>{task.title.clone()}</a>
                {format!(" by {}", task.owner_name)}
                {start}
            </li>
        }
    });
    let more = tasks.len().saturating_sub(NAMED) as u64;
    let more = (more > 0).then(|| view! { <li class="soft">{format!("and {} more", grouped(more))}</li> });
    let names = (!tasks.is_empty()).then(|| view! { <ul class="bullets">{names.collect_view()}{more}</ul> });
    Some(
        view! {
            <div class="notice warn">
                <Icon name="problems"/>
                <div>
                    <strong>{pending_title(count, preview.total, changed)}</strong>
                    <p>{what_of_both(changed)}</p>
                    {names}
                </div>
                // Of one person the page says already who it is.
                {(preview.total > 1).then(|| view! {
                    <div class="line"><a class="button" href=href>{if count == 1 { "Show who" } else { "Show them" }}</a></div>
                })}
            </div>
        }
        .erase(),
    )
}

/// `12 of these people have another change of status pending`; `of` is how many they are.
fn pending_title(count: u64, of: u64, changed: TaskKind) -> String {
    let what = changed.another();
    match count {
        _ if of == 1 => format!("This person has {what} pending"),
        1 => format!("1 of these people has {what} pending"),
        n => format!("{} of these people have {what} pending", grouped(n)),
    }
}

fn what_of_both(changed: TaskKind) -> &'static str {
    match changed {
        TaskKind::Email => "They would get both.",
        TaskKind::EarlyAlert => "They would have both.",
        _ => "The task that runs later wins.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pending_is_told_by_what_it_changes() {
        let status = pending_title(1, 12, TaskKind::ProgramStatus);
        assert_eq!(status, "1 of these people has another change of status pending");
        assert_eq!(pending_title(1, 1, TaskKind::ProgramStatus), "This person has another change of status pending");
        assert_eq!(pending_title(1_204, 2_000, TaskKind::Email), "1,204 of these people have another email pending");
    }
}
