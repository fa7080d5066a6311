//! The people of a task with what became of each, by outcome.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::grouped;
use leptos::prelude::*;
use model::{TaskKind, TaskRow, TaskState, WorkflowStatus, kind::Effect, ledger::LedgerFilter};

use super::page_address;
use crate::{components::tip::Tip, help::hint::Hint};

/// The section, with how its people were chosen and these lines.
pub fn ledger(row: &TaskRow, chosen: Option<AnyView>, lines: AnyView, search: &str) -> AnyView {
    if !row.description().has_ledger() {
        let text = match (row.description().effect, row.status) {
            (Effect::Reads, WorkflowStatus::Completed) => "The audit trail keeps what was exported, by whom and when.",
            (Effect::Reads, status) if status.is_finished() => "This export has no file.",
            (Effect::Reads, _) => "The file appears here when the export is done.",
            _ => "A self-test changes nobody. Its steps are counted above.",
        };
        return view! { <div id="people" class="soft stack tight" tabindex="-1"><p>{text}</p>{chosen}</div> }.erase();
    }
    let unreadable = (row.kind == TaskKind::Import.name() && row.failed > 0).then(|| {
        let file = format!("/tasks/{}/unreadable.csv", row.id);
        view! { <a class="textbutton" href=file rel="external" download>"Download the unreadable lines"</a> }
    });
    view! {
        <section id="people" aria-labelledby="h-people" class="stack tight" tabindex="-1">
            <div class="section">
                <h2 id="h-people">{if page_address::so_far(row, search) { "People processed so far" } else { "People" }}</h2>
                <div class="line">{unreadable}<Tip on=Hint::Outcome/></div>
            </div>
            {chosen}
            // Of what is held nothing has come to anybody.
            {(row.state != TaskState::Held).then(|| view! {
                <nav aria-label="Outcome"><ul class="tabs segmented">{tabs(row, search)}</ul></nav>
            })}
            {lines}
        </section>
    }
    .erase()
}

fn tabs(row: &TaskRow, search: &str) -> AnyView {
    let path = format!("/tasks/{}", row.id);
    let asked = page_address::outcome(search);
    std::iter::once(None)
        .chain(LedgerFilter::ALL.iter().copied().map(Some))
        .map(|filter| {
            let href = page_address::with_outcome(&path, search, filter);
            let current = (asked.as_deref() == filter.map(LedgerFilter::name)).then_some("page");
            let (label, n) = tab(row, search, filter);
            view! {
                <li>
                    <a href=href aria-current=current data-noscroll>{label}<span class="count">{grouped(n)}</span></a>
                </li>
            }
        })
        .collect_view()
        .erase()
}

/// What a tab is called, and how many people it has.
fn tab(row: &TaskRow, search: &str, filter: Option<LedgerFilter>) -> (&'static str, u64) {
    match filter {
        None if page_address::so_far(row, search) => ("Processed", row.treated()),
        None => ("All", row.total.unwrap_or_else(|| row.treated())),
        Some(LedgerFilter::Done) => ("Done", row.succeeded),
        Some(LedgerFilter::Skipped) => ("Skipped", row.skipped),
        Some(LedgerFilter::Failed) => ("Failed", row.failed),
        Some(LedgerFilter::Uncertain) => ("Uncertain", row.uncertain),
        Some(LedgerFilter::Open) if row.status.is_finished() => ("Not processed", row.open()),
        Some(LedgerFilter::Open) => ("Not processed yet", row.open()),
    }
}
