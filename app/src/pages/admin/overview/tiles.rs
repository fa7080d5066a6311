//! The figures of the overview, each of which leads to the list that it counts.

use leptos::prelude::*;
use model::{
    admin::{QueueHealth, QueueHistory},
    grouped,
};

use crate::components::{
    type_erasure::Erase,
    values::{chart::spark, time::span},
};

/// All of them.
pub fn view(health: &QueueHealth, history: &QueueHistory) -> AnyView {
    let sampled = |of: fn(&model::admin::Sample) -> u64| history.samples.iter().map(of).collect::<Vec<u64>>();
    let ended = |of: fn(&model::admin::HistoryPart) -> u64| history.parts.iter().map(of).collect::<Vec<u64>>();
    let stalled = health.stalled;
    let (oldest, unit) = match health.oldest_seconds {
        None => ("0".to_owned(), "s"),
        Some(seconds) if seconds < 120 => (seconds.to_string(), "s"),
        Some(seconds) => (span(seconds), ""),
    };
    let tiles = [
        tile("Waiting", "/admin/tasks?state=WAITING", health.waiting.short(), "", "", sampled(|s| s.waiting), false),
        tile(
            "Running",
            "/admin/tasks?state=RUNNING",
            grouped(health.running),
            &format!("of {} slots", grouped(health.slots)),
            "",
            sampled(|s| s.running),
            false,
        ),
        tile(
            "Waiting to retry",
            "/admin/tasks?state=RETRYING",
            health.retrying.short(),
            "",
            "",
            sampled(|s| s.retrying),
            false,
        ),
        tile(
            "Failed in 1\u{a0}h",
            "/admin/tasks?state=FAILED,COULD_NOT_START&ended=1h",
            health.failed_hour.short(),
            "",
            if health.failed_hour.value > 0 { "bad" } else { "" },
            ended(|part| part.failed),
            true,
        ),
        tile(
            "Stalled",
            "/admin/tasks?stalled=yes",
            grouped(stalled),
            "",
            if stalled > 0 { "late" } else { "" },
            sampled(|s| s.stalled),
            false,
        ),
        tile(
            "Oldest waiting",
            "/admin/tasks?state=WAITING&order=oldest",
            oldest,
            unit,
            "",
            sampled(|s| s.oldest_seconds),
            false,
        ),
        tile(
            "Done per minute",
            "/admin/tasks?state=DONE,DONE_WITH_PROBLEMS&ended=1m",
            health.done_minute.short(),
            "",
            "",
            ended(|part| part.done),
            false,
        ),
    ];
    view! { <ul class="tiles">{tiles.into_iter().collect_view()}</ul> }.erase()
}

fn tile(
    name: &'static str,
    href: &'static str,
    figure: String,
    unit: &str,
    tone: &'static str,
    values: Vec<u64>,
    danger: bool,
) -> AnyView {
    let peak = values.iter().copied().max().unwrap_or_default();
    let unit = (!unit.is_empty()).then(|| view! { " "<small>{unit.to_owned()}</small> });
    let history = match values.len() {
        0 | 1 => view! { <span class="meta soft">"No history yet"</span> }.erase(),
        _ => {
            let label = format!("{name}: at most {} in this period", grouped(peak));
            view! { {spark(&values, danger, false, label)}<span class="meta soft">{format!("peak {}", grouped(peak))}</span> }
                .erase()
        }
    };
    view! {
        <li>
            <a href=href>{name}</a>
            <strong class=tone>{figure}{unit}</strong>
            {history}
        </li>
    }
    .erase()
}
