//! How far a task is: the percent, the bar, the counts, and while it runs its pace.

use leptos::prelude::*;
use model::{TaskRow, TaskState, grouped, people};

use super::pace::{self, Pace};
use crate::{
    components::{
        bar::{OutcomeBar, counts, segments},
        time::Time,
    },
    pages::tasks::took,
};

/// The panel.
#[component]
pub fn Progress(now: Memo<TaskRow>, pace: RwSignal<Pace>) -> impl IntoView {
    let aside = move || {
        let row = now.get();
        if row.status.is_running() {
            return pace.with(Pace::rate).and_then(|rate| pace::words(Some(rate), row.open())).into_any();
        }
        match row.stopped_date.filter(|_| row.status.is_finished()) {
            Some(at) => {
                let took = Some(took(&row)).filter(|took| !took.is_empty()).map(|took| format!("took {took} · "));
                view! { {took} "ended " <Time at/> }.into_any()
            }
            None => ().into_any(),
        }
    };
    // Announced in quarters only: nobody wants to hear every percent.
    let said = Memo::new(move |_| now.with(announcement));
    view! {
        <section class="progress" aria-label="Progress">
            <p class="lead">
                <strong>{move || now.with(lead)}</strong>
                <span>{aside}</span>
            </p>
            {move || view! { <OutcomeBar row=now.get() thick=true label="Progress"/> }}
            <dl class="counts">{move || now.with(tally)}</dl>
            <p class="hidden" role="status">{said}</p>
        </section>
    }
    .into_any()
}

/// The number that counts: the percent while it runs, what was done once it has ended.
fn lead(row: &TaskRow) -> String {
    match row.state {
        TaskState::Scheduled | TaskState::Waiting if row.treated() == 0 => "Not started".to_owned(),
        _ if !row.status.is_finished() => format!("{} %", row.percent()),
        _ => match (row.succeeded, row.succeeded + row.failed + row.uncertain + row.open()) {
            (done, tried) if done == tried => format!("{} changed", people(done)),
            (done, tried) => format!("{} of {} changed", grouped(done), people(tried)),
        },
    }
}

fn tally(row: &TaskRow) -> impl IntoView + use<> {
    let id = row.id;
    let mut lines: Vec<(Option<&'static str>, &'static str, u64, Option<&'static str>)> = segments(row)
        .into_iter()
        .filter(|(word, n)| *n > 0 || *word == "done")
        .map(|(word, n)| (Some(word), word, n, Some(filter_name(word))))
        .collect();
    if row.open() > 0 || !row.status.is_finished() {
        lines.push((None, if row.status.is_finished() { "not reached" } else { "left" }, row.open(), Some("OPEN")));
    }
    lines
        .into_iter()
        .map(|(outcome, word, n, filter)| {
            let number = match filter.filter(|_| n > 0) {
                Some(filter) => view! { <a href=format!("/tasks/{id}?outcome={filter}") data-noscroll>{grouped(n)}</a> }.into_any(),
                None => grouped(n).into_any(),
            };
            view! { <div data-outcome=outcome><dt>{word}</dt><dd>{number}</dd></div> }
        })
        .collect_view()
}

fn filter_name(outcome: &str) -> &'static str {
    match outcome {
        "done" => "DONE",
        "skipped" => "SKIPPED",
        "failed" => "FAILED",
        _ => "UNCERTAIN",
    }
}

fn announcement(row: &TaskRow) -> String {
    if row.status.is_finished() {
        return format!("{}. {}", row.label, counts(row));
    }
    let so_far = if row.failed > 0 { format!(", {} failed so far", grouped(row.failed)) } else { String::new() };
    match row.percent() {
        0..25 => String::new(),
        25..50 => format!("A quarter done{so_far}"),
        50..75 => format!("Half done{so_far}"),
        _ => format!("Three quarters done{so_far}"),
    }
}
