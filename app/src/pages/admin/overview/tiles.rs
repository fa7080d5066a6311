//! The figures of the overview, each of which leads to the list that it counts.

use leptos::prelude::*;
use model::{
    Total,
    admin::{FailedPeople, QueueHealth, QueueHistory, Window},
};

use crate::components::values::numbers::{counted, grouped, short};
use crate::{
    components::{
        type_erasure::Erase,
        values::{chart::spark_within, numbers::tasks, time::span},
    },
    url,
};

/// All of them.
pub fn view(health: &QueueHealth, history: &QueueHistory, window: Window) -> AnyView {
    let parts = history.parts.len();
    // Each stands in its part of the period, so that the lines of all tiles have one axis.
    let part = |sample: &model::admin::Sample| {
        let seconds = (sample.date - history.start).num_seconds().max(0).unsigned_abs();
        usize::try_from(seconds / history.step.max(1)).unwrap_or(parts).min(parts.saturating_sub(1))
    };
    let sampled = |of: fn(&model::admin::Sample) -> u64| {
        let values = history.samples.iter().map(|sample| (part(sample), of(sample))).collect();
        Course { values, parts }
    };
    let ended = |of: fn(&model::admin::HistoryPart) -> u64| {
        let values = history.parts.iter().map(of).enumerate().collect();
        Course { values, parts }
    };
    // What ended in a part, as so many per minute.
    let minutes = history.step.max(60).div_ceil(60);
    let mut per_minute = ended(|part| part.done);
    per_minute.values.iter_mut().for_each(|(_, done)| *done = done.div_ceil(minutes));
    let stalled = health.stalled;
    let later = match health.scheduled {
        Total { value: 0, .. } => String::new(),
        // Held emails are among them, and there is room for a word.
        scheduled => format!("{} not due yet", short(scheduled)),
    };
    let (oldest, unit) = match health.oldest_seconds {
        None => ("none".to_owned(), ""),
        Some(seconds) if seconds < 120 => (seconds.to_string(), "s"),
        Some(seconds) => (span(seconds), ""),
    };
    let tiles = [
        tile(
            "Waiting",
            "/admin/tasks?state=WAITING",
            Figure::of(health.waiting),
            &later,
            "",
            sampled(|s| s.waiting),
            PEAK,
        ),
        tile(
            "Running",
            "/admin/tasks?state=RUNNING",
            Figure::exactly(health.running),
            &format!("of {} slots", grouped(health.slots)),
            "",
            sampled(|s| s.running),
            PEAK,
        ),
        tile(
            "Waiting to retry",
            "/admin/tasks?state=RETRYING",
            Figure::of(health.retrying),
            "",
            "",
            sampled(|s| s.retrying),
            PEAK,
        ),
        tile(
            "Failed in 1\u{a0}h",
            "/admin/tasks?state=FAILED,COULD_NOT_START&ended=1h",
            Figure::of(health.failed_hour),
            "",
            if health.failed_hour.value > 0 { "bad" } else { "" },
            ended(|part| part.failed),
            // So many in an hour are no peak of what failed in a minute.
            Told::Sum(window),
        ),
        people_failed(history, window, ended(|part| part.problems)),
        tile(
            "Stalled",
            "/admin/tasks?stalled=yes",
            Figure::exactly(stalled),
            "",
            if stalled > 0 { "late" } else { "" },
            sampled(|s| s.stalled),
            PEAK,
        ),
        tile(
            "Oldest waiting",
            "/admin/tasks?state=WAITING&order=oldest",
            Figure { words: oldest, value: health.oldest_seconds.unwrap_or_default() },
            unit,
            "",
            sampled(|s| s.oldest_seconds),
            Told::Peak(waited),
        ),
        tile(
            "Done per minute",
            "/admin/tasks?state=DONE,DONE_WITH_PROBLEMS&ended=1m",
            Figure::of(health.done_minute),
            "",
            "",
            per_minute,
            PEAK,
        ),
    ];
    view! { <ul class="tiles">{tiles.into_iter().collect_view()}</ul> }.erase()
}

/// Who failed in tasks that are done, which no other figure tells.
fn people_failed(history: &QueueHistory, window: Window, course: Course) -> AnyView {
    let failed = history.failed_people;
    let href = url::with("/admin/tasks", &[("state", "DONE_WITH_PROBLEMS"), ("ended", window.name())]);
    let tone = if failed.people.value > 0 { "bad" } else { "" };
    let (name, words) = failed_words(&failed);
    let label = format!("{name}: {}", if words.is_empty() { "none" } else { words.as_str() });
    view! {
        <li>
            <a href=href>{name}</a>
            <strong class=tone>{short(failed.people)}</strong>
            {spark_within(&course.values, course.parts, failed.people.value > 0, false, label)}
            <span class="meta soft">{words}</span>
        </li>
    }
    .erase()
}

/// Who failed, and in how many tasks: lines of files are no people.
fn failed_words(failed: &FailedPeople) -> (&'static str, String) {
    let within = match failed.tasks {
        Total { value: 0, .. } => String::new(),
        Total { value, exact: true } => format!("in {}", tasks(value)),
        more => format!("in {} tasks", short(more)),
    };
    let lines = failed.lines;
    match failed.people.value - lines.value.min(failed.people.value) {
        _ if lines.value == 0 => ("People failed", within),
        0 => ("Lines unreadable", within),
        people => {
            let people = Total { value: people, ..failed.people };
            let noun = |total: Total, one, many| if total.value == 1 { one } else { many };
            let (one, other) = (noun(people, "person", "people"), noun(lines, "line", "lines"));
            ("People and lines failed", format!("{} {one}, {} {other} {within}", short(people), short(lines)))
        }
    }
}

/// What was so in each part of the period of which it is known, and how many parts there are.
struct Course {
    values: Vec<(usize, u64)>,
    parts: usize,
}

/// What is so now, as it is written and as a number.
struct Figure {
    words: String,
    value: u64,
}

impl Figure {
    fn of(total: Total) -> Figure {
        Figure { words: short(total), value: total.value }
    }

    fn exactly(value: u64) -> Figure {
        Figure { words: grouped(value), value }
    }
}

/// What is told of the past below a figure.
#[derive(Clone, Copy)]
enum Told {
    /// The most that it was, in these words; what it is now is part of it.
    Peak(fn(u64) -> String),
    /// All failures of the period: those of the figure, and those that have been retried or closed since.
    Sum(Window),
}

const PEAK: Told = Told::Peak(grouped);

fn tile(
    name: &'static str,
    href: &'static str,
    figure: Figure,
    unit: &str,
    tone: &'static str,
    course: Course,
    told: Told,
) -> AnyView {
    let unit = (!unit.is_empty()).then(|| view! { " "<small>{unit.to_owned()}</small> });
    let Course { values, parts } = course;
    let history = match values.len() {
        // There is no line through one point.
        0 | 1 => ().erase(),
        _ => {
            let values = match told {
                Told::Peak(_) => with_now(values, parts, figure.value),
                Told::Sum(_) => with_newest(values, figure.value),
            };
            let numbers: Vec<u64> = values.iter().map(|(_, number)| *number).collect();
            let (words, label) = past(name, &figure, &numbers, told);
            let danger = matches!(told, Told::Sum(_)) && numbers.iter().any(|number| *number > 0);
            view! { {spark_within(&values, parts, danger, false, label)}<span class="meta soft">{words}</span> }.erase()
        }
    };
    view! {
        <li>
            <a href=href>{name}</a>
            <strong class=tone>{figure.words}{unit}</strong>
            {history}
        </li>
    }
    .erase()
}

/// What is so now is in the last part, so that the line shows the peak that is told below it.
fn with_now(mut values: Vec<(usize, u64)>, parts: usize, now: u64) -> Vec<(usize, u64)> {
    let place = parts.saturating_sub(1);
    match values.last_mut().filter(|(last, _)| *last == place) {
        Some((_, last)) => *last = now.max(*last),
        None => values.push((place, now)),
    }
    values
}

/// What has ended within this minute, and is counted in the figure alone until it is over, is in the last part.
fn with_newest(mut values: Vec<(usize, u64)>, all: u64) -> Vec<(usize, u64)> {
    let counted: u64 = values.iter().map(|(_, number)| number).sum();
    if let Some((_, last)) = values.last_mut() {
        *last += all.saturating_sub(counted);
    }
    values
}

/// How long the oldest one had waited; nothing where none waited.
fn waited(seconds: u64) -> String {
    if seconds == 0 { String::new() } else { span(seconds) }
}

/// What is said of the past, and for those who do not see the line.
fn past(name: &str, now: &Figure, values: &[u64], told: Told) -> (String, String) {
    match told {
        Told::Peak(words) => {
            let peak = words(values.iter().copied().fold(now.value, u64::max));
            match peak.is_empty() {
                true => ("none in this period".to_owned(), format!("{name}: none in this period")),
                false => (format!("peak {peak}"), format!("{name}: at most {peak} in this period")),
            }
        }
        Told::Sum(window) => {
            // What failed within this minute is in no part yet, and the shortest period is an hour.
            let sum = values.iter().sum::<u64>().max(now.value);
            let resolved = sum - now.value;
            let more = match (window, resolved) {
                // The figure says it already.
                (_, 0) => String::new(),
                (Window::Hour, _) => format!("{} more resolved", grouped(resolved)),
                _ => format!("{} in this period", counted(sum, "failure", "failures")),
            };
            (
                more,
                format!(
                    "{name}: {} in this period, {} resolved",
                    counted(sum, "failure", "failures"),
                    grouped(resolved)
                ),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_file_are_not_counted_as_people() {
        let said = |people, lines| {
            let [people, lines, tasks] = [people, lines, 2].map(|value| Total { value, exact: true });
            failed_words(&FailedPeople { people, lines, tasks })
        };
        assert_eq!(said(4, 0), ("People failed", "in 2 tasks".to_owned()));
        assert_eq!(said(4, 4), ("Lines unreadable", "in 2 tasks".to_owned()));
        assert_eq!(said(5, 4), ("People and lines failed", "1 person, 4 lines in 2 tasks".to_owned()));
    }

    #[test]
    fn within_the_first_minute_the_line_shows_what_the_figure_says() {
        assert_eq!(with_now(vec![(57, 0), (58, 0)], 60, 2), [(57, 0), (58, 0), (59, 2)]);
        assert_eq!(with_now(vec![(58, 1), (59, 3)], 60, 2), [(58, 1), (59, 3)]);
        assert_eq!(with_now(vec![(58, 1), (59, 1)], 60, 2), [(58, 1), (59, 2)]);
    }

    /// The line lay flat below a figure of three.
    #[test]
    fn what_failed_within_this_minute_is_on_the_line() {
        assert_eq!(with_newest(vec![(58, 1), (59, 0)], 3), [(58, 1), (59, 2)]);
        assert_eq!(with_newest(vec![(58, 4), (59, 0)], 3), [(58, 4), (59, 0)], "and some that are resolved by now");
    }

    #[test]
    fn a_peak_is_never_below_what_is_so_now() {
        let said = |now, values: &[u64]| past("Running", &Figure::exactly(now), values, PEAK).0;
        assert_eq!(said(7, &[1, 3, 2]), "peak 7");
        assert_eq!(said(1, &[1, 3, 2]), "peak 3");
        let failed = |window, values: &[u64]| past("Failed", &Figure::exactly(5), values, Told::Sum(window));
        assert_eq!(failed(Window::Hour, &[1, 3, 4]).0, "3 more resolved");
        assert_eq!(failed(Window::Day, &[1, 3, 4]).0, "8 failures in this period");
        assert_eq!(failed(Window::Hour, &[0, 0, 0]).1, "Failed: 5 failures in this period, 0 resolved");
        assert_eq!(failed(Window::Hour, &[1, 3, 1]).0, "", "it is not said twice");
        assert_eq!(past("Oldest waiting", &Figure::exactly(0), &[0, 0], Told::Peak(waited)).0, "none in this period");
    }
}
