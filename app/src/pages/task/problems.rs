//! What went wrong, before everything else, and what can be done about it. A cause that all have is told here and nowhere else.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::{grouped, units};
use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Outcome, Role, Sending, TaskDetail, TaskKind, TaskRow, TaskState,
    ledger::FailReason,
    task::{OutcomeCount, ReasonCount},
};

use crate::{
    components::{icon::Icon, tip::Tip},
    help::hint::Hint,
    pages::tasks::api::ResendEmail,
};

/// Who looks at it, and whether email can be sent.
#[derive(Clone, Copy)]
pub struct Onlooker {
    pub role: Role,
    pub sending: Sending,
}

/// The reason that everybody failed for, where there is one.
pub fn one_cause(task: &TaskDetail) -> Option<&ReasonCount> {
    task.reasons.iter().find(|why| why.outcome == Outcome::Failed && why.count == task.row.failed)
}

/// A notice for people who failed or are uncertain, or a task that did.
pub fn problems(task: &TaskDetail, reader: Onlooker) -> AnyView {
    let row = &task.row;
    let Some((tone, title, text)) = problem(task, reader) else { return ().erase() };
    let (which, count) = match (row.failed, row.uncertain) {
        (failed @ 1.., _) => ("FAILED", failed),
        (_, uncertain) => ("UNCERTAIN", uncertain),
    };
    let all = row.total.is_some_and(|total| total == count);
    let link = (count > 0 && !all).then(|| {
        view! { <a class="button" href=format!("/tasks/{}?outcome={which}", row.id) data-noscroll>{if count == 1 { "Show it" } else { "Show them" }}</a> }
    });
    let failed =
        task.can_resend.iter().find(|some| some.outcome == Outcome::Failed).filter(|_| reader.sending.is_ready());
    let resend = failed.map(|some| resend(row, some, "button"));
    // It is offered where it will be, and says above why not yet.
    let not_yet = task.can_resend.iter().find(|some| some.outcome == Outcome::Failed && !reader.sending.is_ready());
    let resend = resend.or_else(|| {
        let words = format!("Resend to the {} failed", grouped(not_yet?.count));
        Some(view! { <button class="button" disabled>{words}</button> }.erase())
    });
    let again =
        is_unreadable(row).then(|| view! { <a class="button" href="/admin/import">"Import the corrected file"</a> });
    let ways_on = (link.is_some() || resend.is_some() || again.is_some())
        .then(|| view! { <div class="line">{link}{resend}{again}</div> });
    view! {
        <div class=format!("notice {tone}")>
            <Icon name="problems"/>
            <div>
                <h2>{title}</h2>
                {text.map(|text| view! { <p>{text}</p> })}
                {(row.uncertain > 0).then(|| view! { <Tip on=Hint::Uncertain/> })}
            </div>
            {ways_on}
        </div>
    }
    .erase()
}

/// Writes again to those with an outcome.
pub fn resend(row: &TaskRow, some: &OutcomeCount, class: &'static str) -> AnyView {
    let words = if some.outcome == Outcome::Uncertain { "uncertain" } else { "failed" };
    view! {
        <form method="post" action=ResendEmail::url()>
            <input type="hidden" name="id" value=row.id.to_string()/>
            <input type="hidden" name="outcome" value=some.outcome.name()/>
            <button class=class>{format!("Resend to the {} {words}", grouped(some.count))}</button>
        </form>
    }
    .erase()
}

/// Whether lines of a file were unreadable that has been read to its end.
fn is_unreadable(row: &TaskRow) -> bool {
    row.kind == TaskKind::Import.name() && row.failed > 0 && row.status.is_finished()
}

fn problem(task: &TaskDetail, reader: Onlooker) -> Option<(&'static str, String, Option<String>)> {
    let row = &task.row;
    let why = |otherwise: &str| Some(row.trouble.clone().unwrap_or_else(|| otherwise.to_owned()));
    match row.state {
        TaskState::Failed => Some(("danger", "The task failed".into(), why("Changes made before it failed are kept."))),
        TaskState::CouldNotStart => Some(("danger", "The task could not start".into(), why("Nobody was changed."))),
        _ if row.failed > 0 => {
            let failed = format!("{} {}", units(&row.description(), row.failed), row.description().failed);
            Some(match one_cause(task) {
                // For how many it failed stands above it.
                Some(cause) if row.succeeded + row.uncertain + row.open() == 0 => {
                    ("danger", capital(&cause.label), way_out(task, cause, reader))
                }
                Some(cause) => ("danger", format!("{failed}: {}", cause.label), way_out(task, cause, reader)),
                None if is_unreadable(row) => (
                    "danger",
                    failed,
                    why("The list below says why for each. Correct them in the file, then import it again."),
                ),
                None => ("danger", failed, why("The list below says why for each.")),
            })
        }
        _ if row.uncertain > 0 => Some((
            "warn",
            format!("{} uncertain", units(&row.description(), row.uncertain)),
            why("We cannot confirm these. Docket will not repeat them."),
        )),
        _ => None,
    }
}

/// As a sentence begins.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What to do about a cause that all have.
fn way_out(task: &TaskDetail, cause: &ReasonCount, reader: Onlooker) -> Option<String> {
    if let Some(trouble) = &task.row.trouble {
        return Some(trouble.clone());
    }
    if task.can_resend.is_empty() {
        return None;
    }
    match cause.reason.parse() {
        Ok(FailReason::NotConfigured) => {}
        Ok(FailReason::Rejected | FailReason::BadAddress) => {
            return Some("Their addresses may be wrong. Correct them before you resend.".to_owned());
        }
        _ => return None,
    }
    Some(match reader.sending {
        Sending::Ready => "Email is set up by now, so it can be sent.".to_owned(),
        Sending::NotSetUp => format!("{} Until then it cannot be resent.", Sending::way_out(reader.role)),
    })
}
