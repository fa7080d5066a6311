//! The outcome bar: as wide as the number of people, so that one unit is one person, with a text alternative.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::grouped;
use leptos::prelude::*;
use model::TaskRow;

/// What became of the people of a task so far. With a label it is announced as progress; without one the words beside it
/// say the same.
#[component]
pub fn OutcomeBar(row: TaskRow, #[prop(optional)] thick: bool, #[prop(into)] label: String) -> impl IntoView {
    let total = row.total.unwrap_or_default().max(row.treated()).max(row.listed.unwrap_or_default());
    let mut x = 0;
    let parts = segments(&row)
        .map(|(outcome, width)| {
            let from = x;
            x += width;
            (width > 0).then(|| {
                view! {
                    <rect data-outcome=outcome x=from.to_string() y="-1" width=width.to_string() height="3"></rect>
                }
            })
        })
        .collect_view();
    let running = !row.status.is_finished();
    let role = match label.is_empty() {
        true => None,
        false if running => Some("progressbar"),
        false => Some("img"),
    };
    let progress = role == Some("progressbar");
    let words = format!("{}, of {}", counts(&row), grouped(total));
    view! {
        <svg
            class=if thick { "bar thick" } else { "bar" }
            viewBox=format!("0 0 {} 1", total.max(1))
            preserveAspectRatio="none"
            role=role
            aria-hidden=role.is_none().then_some("true")
            aria-label=if progress { Some(label) } else { role.map(|_| words.clone()) }
            aria-valuemin=progress.then_some("0")
            aria-valuemax=progress.then(|| total.to_string())
            aria-valuenow=progress.then(|| row.listed.unwrap_or(row.treated()).to_string())
            aria-valuetext=progress.then(|| format!("{} percent: {words}", row.percent()))
        >
            {parts}
        </svg>
    }
    .erase()
}

/// The four outcomes and how many people each has. While people are only listed, these take the place of those who are done.
pub fn segments(row: &TaskRow) -> [(&'static str, u64); 4] {
    let first = row.listed.map_or(("done", row.succeeded), |listed| ("listed", listed));
    [first, ("skipped", row.skipped), ("failed", row.failed), ("uncertain", row.uncertain)]
}

/// What an outcome is called among those of this task.
pub fn word(row: &TaskRow, outcome: &'static str) -> &'static str {
    if outcome == "failed" { row.description().failed } else { outcome }
}

/// `745 done, 172 skipped, 2 failed`; outcomes that nobody has are left out, but for `0 done`.
pub fn counts(row: &TaskRow) -> String {
    let words: Vec<String> = segments(row)
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(of, n)| format!("{} {}", grouped(*n), word(row, of)))
        .collect();
    if words.is_empty() { "0 done".to_owned() } else { words.join(", ") }
}
