//! How far a task is: the percent, the bar, the counts, and while it runs its pace.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::grouped;
use leptos::prelude::*;
use model::{TaskKind, TaskRow, TaskState, WorkflowStatus};

use super::pace::TaskPace;
use crate::{
    components::values::{
        outcome_bar::{OutcomeBar, counts, segments, word},
        time::Time,
    },
    pages::tasks::words::took,
};

/// The panel.
pub fn progress(row: TaskRow, pace: &TaskPace) -> AnyView {
    // What is held, or waits for approval, has a panel of its own, with what there is to see before it starts.
    if matches!(row.state, TaskState::Held | TaskState::Unapproved) {
        return ().erase();
    }
    let running = row.status.is_running().then(|| pace.words(row.description().unit)).flatten();
    let ended = row.stopped_date.filter(|_| row.status.is_finished()).map(|at| {
        let took = Some(took(&row)).filter(|took| !took.is_empty()).map(|took| format!("took {took} · "));
        view! { <span>{took} "ended " <Time at/></span> }
    });
    // Of what starts at a time that somebody chose there is nothing to see before.
    let is_ahead = row.state == TaskState::Scheduled && row.treated() == 0;
    let so_far = (!is_ahead).then(|| {
        view! {
            <OutcomeBar row=row.clone() thick=true label="Progress"/>
            <dl class="counts">{tally(&row)}</dl>
        }
    });
    let lead = match is_ahead {
        true => view! { "Starts "<Time at=row.trigger_date ahead=true/> }.erase(),
        false => lead(&row).erase(),
    };
    view! {
        <section class="progress" aria-label="Progress">
            <p class="lead"><strong>{lead}</strong><span>{running}{ended}</span></p>
            {so_far}
            <p class="hidden" role="status">{announcement(&row)}</p>
        </section>
    }
    .erase()
}

/// The number that counts: the percent while it runs, what was done once it has ended.
fn lead(row: &TaskRow) -> String {
    if let Some(listed) = row.listed {
        let total = row.total.unwrap_or_default().max(listed);
        return grouped(listed) + " of " + &grouped(total) + " listed";
    }
    match row.state {
        TaskState::Waiting if row.treated() == 0 => "Not started".to_owned(),
        _ if !row.status.is_finished() => format!("{}%", row.percent()),
        _ => row.summary.clone().unwrap_or_default(),
    }
}

/// What an import did, which is told in words of its own: several lines can be of one person, and many change nobody.
pub fn sum(row: &TaskRow) -> Option<&str> {
    let is_told = row.status == WorkflowStatus::Completed && row.kind == TaskKind::Import.name();
    row.line.as_deref().filter(|_| is_told)
}

fn tally(row: &TaskRow) -> AnyView {
    let id = row.id;
    let (finished, has_ledger) = (row.status.is_finished(), row.description().has_ledger());
    if row.listed.is_some() {
        return ().erase();
    }
    let outcomes = segments(row).into_iter().filter(|(outcome, n)| *n > 0 || *outcome == "done");
    let outcomes = outcomes.map(|(outcome, n)| (Some(outcome), word(row, outcome), n, outcome.to_ascii_uppercase()));
    let left = (row.open() > 0 || !finished)
        .then(|| (None, if finished { "not processed" } else { "not processed yet" }, row.open(), "OPEN".to_owned()));
    outcomes
        .chain(left)
        .map(|(outcome, word, n, filter)| {
            let href = (n > 0 && has_ledger).then(|| format!("/tasks/{id}?outcome={filter}"));
            view! { <div data-outcome=outcome><dt>{word}</dt><dd><a href=href data-noscroll>{grouped(n)}</a></dd></div> }
        })
        .collect_view()
        .erase()
}

/// Said in quarters only: nobody wants to hear every percent.
fn announcement(row: &TaskRow) -> String {
    if row.status.is_finished() {
        return format!("{}. {}", row.label, counts(row));
    }
    let so_far = if row.failed > 0 { ", some failed so far" } else { "" };
    match row.percent() {
        0..25 => String::new(),
        25..50 => format!("A quarter done{so_far}"),
        50..75 => format!("Half done{so_far}"),
        _ => format!("Three quarters done{so_far}"),
    }
}
