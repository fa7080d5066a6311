//! A kind of task: what it does, how much of it there is, how long it takes, and pausing and resuming it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    TaskKind, Total,
    admin::{HistoryPart, KindInfo, QueueHistory},
    kind::Description,
    task::TaskGroup,
};

use super::{
    act::{self, VerbButton},
    api::{PauseKind, ResumeKind},
    processes, words,
};
use crate::components::values::numbers::{counted, short, tasks};
use crate::{
    components::{
        type_erasure::Erase,
        values::time::{Time, span},
    },
    refusal::Refusal,
    url,
};

/// The page; `history` is of the last day.
pub fn view(kind: KindInfo, history: &QueueHistory, refusal: Option<Refusal>) -> AnyView {
    let since = kind.paused_date.map(|at| {
        let by = kind.paused_by.clone().unwrap_or_default();
        let reason = kind.pause_reason.clone().map(|reason| view! { ": “"<bdi>{reason}</bdi>"”" });
        view! { <p>"Paused since "<Time at ahead=true/>{format!(" by {by}")}{reason}</p> }
    });
    let (title, consequence, verb) = question(&kind);
    // What nobody knows does not run anyway.
    let act = (kind.paused || kind.known_by > 0).then(|| {
        view! {
            <section class="panel" aria-labelledby="h-act">
                <h2 id="h-act">{title}</h2>
                {since}
                <p>{consequence}</p>
                {act::form("kind", vec![verb], vec![("kind", kind.kind.clone())], refusal.as_ref())}
            </section>
        }
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin/processes">"Processes"</a></li>
                    <li><a href="/admin/processes#kinds">"Kinds of task"</a></li>
                </ol>
                <div class="title"><h1>{words::kind(&kind.kind)}</h1>{processes::kind_state(&kind)}</div>
                <p class="facts"><span>{purpose(&kind.kind)}</span></p>
            </div>
            <div class="line"><a class="button" href=listed(&kind, None)>"See its tasks"</a></div>
        </header>
        {act::refused(refusal.as_ref())}
        <section aria-labelledby="h-now">
            <h2 id="h-now" class="hidden">"Right now"</h2>
            {now(&kind)}
        </section>
        <div class="halves">
            <div class="stack">
                <section class="panel" aria-labelledby="h-day">
                    <h2 id="h-day">"In the last 24 hours"</h2>
                    {day(&kind, history)}
                </section>
            </div>
            <div class="stack">
                {act}
                <section class="panel" aria-labelledby="h-limits">
                    <h2 id="h-limits">"Limits"</h2>
                    {limits(&kind)}
                </section>
            </div>
        </div>
    }
    .erase()
}

/// What tasks of a kind do.
fn purpose(kind: &str) -> &'static str {
    let Ok(kind) = kind.parse::<TaskKind>() else { return "Only another version of Docket can run it" };
    match kind {
        TaskKind::ProgramStatus => "Sets the program status of the selected people",
        TaskKind::Email => "Emails the selected people, after a hold, during which the task can be cancelled",
        TaskKind::Watch => "Adds people to a watch list, or removes them from it",
        TaskKind::Export => "Writes the selected people into a file to download",
        TaskKind::EarlyAlert => "Raises an early alert on the selected people",
        TaskKind::ReassignCoach => "Gives the selected people another coach",
        TaskKind::ReassignByList => "Gives people other coaches, line by line of a list",
        TaskKind::Undo => "Restores what another task changed",
        TaskKind::Import => "Adds and updates people from a file",
        TaskKind::SelfTest => "Tries the queue without changing anybody",
    }
}

fn question(kind: &KindInfo) -> (&'static str, String, VerbButton) {
    let waiting = match kind.waiting {
        Total { value, exact: true } => tasks(value),
        some => format!("{} tasks", short(some)),
    };
    match kind.paused {
        true => (
            "Resume",
            match kind.waiting.value {
                0 => "New tasks of this kind start again. None is waiting.".to_owned(),
                _ => format!("{waiting} of this kind will start as soon as slots are free."),
            },
            VerbButton::new(ResumeKind::url(), "Resume this kind", "right", "primary"),
        ),
        false => {
            let running = match kind.running {
                0 => String::new(),
                n => format!(" {} running will finish.", counted(n, "that is", "that are")),
            };
            (
                "Pause",
                format!(
                    "No task of this kind will start until you resume it.{running} Owners of waiting tasks see that it is paused."
                ),
                VerbButton::new(PauseKind::url(), "Pause this kind", "held", ""),
            )
        }
    }
}

/// The list of its tasks, or of those that count somewhere.
fn listed(kind: &KindInfo, group: Option<TaskGroup>) -> String {
    let states = group.map(TaskGroup::states).unwrap_or_default();
    let states: Vec<&str> = states.iter().map(|state| state.name()).collect();
    let mut pairs = vec![("kind", kind.kind.clone())];
    pairs.extend((!states.is_empty()).then(|| ("state", states.join(","))));
    url::with("/admin/tasks", &pairs)
}

fn now(kind: &KindInfo) -> AnyView {
    let running = Total { value: kind.running, exact: true };
    let counts = [
        (TaskGroup::Waiting, kind.waiting),
        (TaskGroup::Running, running),
        (TaskGroup::ToRetry, kind.retrying),
        (TaskGroup::Scheduled, kind.scheduled),
    ];
    let tiles = counts.map(|(group, count)| {
        // What is held is counted with what is scheduled.
        let name = if group == TaskGroup::Scheduled { "Scheduled or held" } else { group.label() };
        view! { <li><a href=listed(kind, Some(group))>{name}</a><strong>{short(count)}</strong></li> }
    });
    view! { <ul class="tiles">{tiles.into_iter().collect_view()}</ul> }.erase()
}

/// A number that leads to what it counts, if there is any.
fn linked(number: u64, words: String, href: String) -> AnyView {
    match number {
        0 => view! { <span class="soft">"none"</span> }.erase(),
        _ => view! { <a href=href>{words}</a> }.erase(),
    }
}

fn day(kind: &KindInfo, history: &QueueHistory) -> AnyView {
    let sum = |of: fn(&HistoryPart) -> u64| history.parts.iter().map(of).sum::<u64>();
    let (done, failed) = (sum(|part| part.done), sum(|part| part.failed));
    // Of parts of a day the longest: how long its slowest tasks took.
    let most = |of: fn(&HistoryPart) -> Option<f64>| {
        history
            .parts
            .iter()
            .filter_map(of)
            .fold(None, |most: Option<f64>, value| Some(most.map_or(value, |most| most.max(value))))
    };
    let usual = |of: fn(&HistoryPart) -> Option<f64>| {
        let mut values: Vec<f64> = history.parts.iter().filter_map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let time = |name: &'static str, seconds: Option<f64>| {
        seconds.map(|seconds| view! { <dt>{name}</dt><dd>{words::milliseconds((seconds * 1_000.0) as u64)}</dd> })
    };
    let times = [
        time("Usual wait before start", usual(|part| part.wait_p50)),
        time("Usual run time", usual(|part| part.run_p50)),
        time("Longest run time", most(|part| part.run_p95)),
    ];
    // What has just ended is in the numbers and not yet in the times.
    let untimed = times.iter().all(Option::is_none).then(|| match done + failed {
        0 => "No task of this kind ended in this time, so there are no wait and run times to show.",
        _ => "Wait and run times are shown within a minute.",
    });
    let untimed = untimed.map(|text| view! { <p class="meta soft">{text}</p> });
    let ended = |group: TaskGroup| {
        let href = listed(kind, Some(group));
        format!("{href}&ended=24h")
    };
    let people = history.failed_people;
    // What is done counts both, and with problems are those in which somebody failed.
    let problems = people.tasks;
    let well = done.saturating_sub(problems.value);
    // An import has lines, and a self-test has steps.
    let who_failed = match Description::of(&kind.kind).unit.1 {
        "people" => "People who failed".to_owned(),
        others => format!("{} that failed", model::enum_words::capital(others)),
    };
    view! {
        <dl class="defs">
            <dt>"Done"</dt>
            <dd>{linked(well, tasks(well), ended(TaskGroup::Done))}</dd>
            <dt>"Done with problems"</dt>
            <dd>{linked(problems.value, format!("{} tasks", short(problems)).replace("1 tasks", "1 task"), ended(TaskGroup::WithProblems))}</dd>
            <dt>"Failed"</dt>
            <dd>{linked(failed, tasks(failed), ended(TaskGroup::Failed))}</dd>
            <dt>{who_failed}</dt>
            <dd>{linked(people.people.value, format!("{} in {}", short(people.people), tasks(people.tasks.value)), ended(TaskGroup::WithProblems))}</dd>
            {times.into_iter().collect_view()}
        </dl>
        {untimed}
    }
    .erase()
}

fn limits(kind: &KindInfo) -> AnyView {
    let most = kind.limit.map_or_else(|| "No limit of its own".to_owned(), |most| tasks(most.into()));
    view! {
        <dl class="defs">
            <dt>"At the same time"</dt>
            <dd>{most}</dd>
            <dt>"Deadline"</dt>
            <dd>{span(kind.deadline_seconds)}</dd>
            <dt>"Can be run by"</dt>
            <dd>{counted(kind.known_by, "running process", "running processes")}</dd>
        </dl>
        <p class="meta soft">
            "A task that makes no progress until its deadline is stalled and goes back to the queue. Both limits are set in the "
            <a href="/admin/settings?q=kind">"settings for kinds of task"</a>"."
        </p>
    }
    .into_view()
    .erase()
}
