//! The processes that run tasks, and the kinds of task that there are.

use leptos::prelude::*;
use model::{
    TaskKind, TaskRow,
    admin::{KindInfo, ProcessInfo, ProcessState},
};

use super::words;
use crate::components::values::numbers::{counted, grouped, short};
use crate::components::{
    blank::Blank,
    table::{
        Head::{self, Number, Text, Unseen},
        table,
    },
    type_erasure::Erase,
    values::{
        badge::Badge,
        time::{Time, span},
    },
};
use crate::url;

/// The running tasks that are looked at, and those that are named with each process.
pub const RUNNING: usize = 200;
const NAMED: usize = 4;

/// A running task, the process that it is with, and whether it is stalled.
pub type Running = (TaskRow, Option<String>, bool);

/// The page.
pub fn view(processes: Vec<ProcessInfo>, running: Vec<Running>, kinds: Vec<KindInfo>) -> AnyView {
    let facts = summary(&processes);
    view! {
        <header class="head">
            <div>
                <h1>"Processes"</h1>
                <p class="facts"><span>{facts}</span></p>
            </div>
        </header>
        {table_of(processes, Some(running))}
        <section aria-labelledby="kinds">
            <div class="section"><h2 id="kinds">"Kinds of task"</h2></div>
            {kinds_table(kinds)}
        </section>
    }
    .erase()
}

/// The table; with the tasks that run it shows everything about each.
pub fn table_of(processes: Vec<ProcessInfo>, running: Option<Vec<Running>>) -> AnyView {
    let whole = running.is_some();
    // With SQLite there is one process, and nobody else who listens for it.
    let listens = processes.iter().any(|process| process.heartbeat_age_ms.is_some());
    if processes.is_empty() {
        return view! {
            <Blank icon="process" danger=true title="No process is running" text="Tasks wait until a process is started.">
                <a class="button" href="/admin/tasks?state=WAITING">"See waiting tasks"</a>
            </Blank>
        }
        .erase();
    }
    let lines = processes
        .into_iter()
        .map(|process| {
            let late = if process.state == ProcessState::Silent { "late" } else { "" };
            let beat = listens.then(|| {
                let beat = process.heartbeat_age_ms.map(|ms| format!("{} ago", words::milliseconds(ms)));
                view! { <td class=format!("brief num {late}") data-prefix="last heard">{beat}</td> }
            });
            let (busy, slots) = (process.busy.min(process.slots), process.slots.max(1));
            let href = format!("/admin/tasks?process={}", process.id);
            let busy_with = format!("/admin/tasks?process={}&state=RUNNING", process.id);
            let named = running.as_ref().map(|running| with_it(running, &process.id));
            let host = (whole && process.host != process.system_id)
                .then(|| view! { <span class="sub">{format!("on {}", process.host)}</span> });
            let version = format!("version {}", process.version);
            let full = whole.then(|| view! { <span class="sub id">{process.id.clone()}</span><span class="sub">{version}</span> });
            let version = (!whole).then(|| {
                view! { <td class="brief id soft" data-prefix="version">{process.version.clone()}</td> }
            });
            let does = whole.then(|| view! { <td class="brief">{role(&process)}</td> });
            view! {
                <tr data-key=process.id.clone() data-process=process.id.clone()>
                    <th scope="row"><a href=href class="id">{process.system_id.clone()}</a>{host}{full}</th>
                    <td class="first">{words::process_state(process.state)}</td>
                    {beat}
                    <td class="first">
                        <div class="outcome inline">
                            <svg class="bar" viewBox=format!("0 0 {slots} 1") preserveAspectRatio="none" aria-hidden="true">
                                <rect data-outcome="done" x="0" y="-1" width=busy.to_string() height="3"></rect>
                            </svg>
                            <a href=busy_with>{format!("{} of {} busy", process.busy, process.slots)}</a>
                        </div>
                        {named}
                    </td>
                    {does}
                    {version}
                    <td class="brief nowrap soft" data-prefix="started"><Time at=process.started_date/></td>
                </tr>
            }
        })
        .collect_view();
    let heads: Vec<Head> = [
        Some(Text("Process")),
        Some(Text("State")),
        listens.then_some(Number("Last heard")),
        Some(Text(if whole { "What it runs now" } else { "Slots" })),
        whole.then_some(Text("Can run")),
        (!whole).then_some(Text("Version")),
        Some(Text("Started")),
    ]
    .into_iter()
    .flatten()
    .collect();
    table("Processes", &heads, lines)
}

/// Which kinds it can run: those that are not among them wait for another process.
fn role(process: &ProcessInfo) -> String {
    let known = process.kinds.iter().filter(|kind| kind.parse::<TaskKind>().is_ok()).count();
    let others = process.kinds.len() - known;
    // Self-tests can be turned off, and are nobody's work.
    let missing: Vec<&str> = TaskKind::ALL
        .iter()
        .filter(|kind| **kind != TaskKind::SelfTest && !process.kinds.iter().any(|can| can == kind.name()))
        .map(|kind| kind.label())
        .collect();
    match (missing.len(), others) {
        (0, 0) => "Every kind of task".to_owned(),
        (0, n) => format!("Every kind of task, and {n} of another version"),
        (1..=3, _) => format!("All but {}", missing.join(", ")),
        _ => counted(process.kinds.len() as u64, "kind of task", "kinds of task"),
    }
}

/// How a kind of task is.
pub fn kind_state(kind: &KindInfo) -> AnyView {
    match (kind.paused, kind.known_by) {
        (true, _) => view! { <Badge icon="held" tone="warn" text="Paused"/> }.erase(),
        (false, 0) => view! { <Badge icon="nostart" tone="danger" text="No process can run it"/> }.erase(),
        (false, _) => view! { <Badge icon="done" tone="ok" text="Active"/> }.erase(),
    }
}

/// The tasks that a process has had for longest.
fn with_it(running: &[Running], process: &str) -> AnyView {
    let its: Vec<&TaskRow> =
        running.iter().filter(|(_, with, _)| with.as_deref() == Some(process)).map(|(row, _, _)| row).collect();
    let more = its.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| view! { <span class="sub">{format!("and {more} more")}</span> });
    let lines = its.into_iter().take(NAMED).map(|row| {
        let share = row.total.map(|_| format!(" {}%", row.percent()));
        view! {
            <span class="sub" data-key=row.id.to_string()>
                <a href=format!("/admin/tasks/{}", row.id)>{row.title.clone()}</a>
                {share}
            </span>
        }
    });
    view! { {lines.collect_view()}{more} }.erase()
}

fn kinds_table(kinds: Vec<KindInfo>) -> AnyView {
    let lines = kinds
        .into_iter()
        .map(|kind| {
            let state = kind_state(&kind);
            let why = kind.paused.then(|| {
                let by = kind.paused_by.clone().unwrap_or_default();
                let reason = kind.pause_reason.clone().map(|reason| format!(": {reason}")).unwrap_or_default();
                view! { <span class="sub clamp long">{format!("by {by}{reason}")}</span> }
            });
            let verb = if kind.paused { "Resume…" } else { "Pause…" };
            let says = format!("{verb} {}", words::kind(&kind.kind));
            // What nobody knows does not run anyway.
            let verb = (kind.paused || kind.known_by > 0).then(|| {
                let href = format!("/admin/kinds/{}", kind.kind);
                view! { <a class="button small" href=href aria-label=says>{verb}</a> }
            });
            let of = |states: &str, name: &'static str, number: String, limit: String| {
                let href = url::with("/admin/tasks", &[("kind", kind.kind.as_str()), ("state", states)]);
                match number.as_str() {
                    "0" => view! { <td class="brief num soft" data-suffix=name>{number}{limit}</td> }.erase(),
                    _ => view! { <td class="brief num" data-suffix=name><a href=href>{number}</a>{limit}</td> }.erase(),
                }
            };
            let limit = kind.limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
            view! {
                <tr data-key=kind.kind.clone() data-kind=kind.kind.clone()>
                    <th scope="row">
                        <a href=url::below("/admin/kinds", &kind.kind)>{words::kind(&kind.kind)}</a>
                    </th>
                    <td class="first"><div>{state}{why}</div></td>
                    {of("WAITING", "waiting", short(kind.waiting), String::new())}
                    {of("RUNNING", "running", grouped(kind.running), limit)}
                    {of("RETRYING", "waiting to retry", short(kind.retrying), String::new())}
                    {of("SCHEDULED,HELD", "scheduled or held", short(kind.scheduled), String::new())}
                    <td class="brief num" data-prefix="deadline">{span(kind.deadline_seconds)}</td>
                    <td class="nowrap num">{verb}</td>
                </tr>
            }
        })
        .collect_view();
    let heads = [
        Text("Kind"),
        Text("State"),
        Number("Waiting"),
        Number("Running"),
        Number("Waiting to retry"),
        Number("Scheduled or held"),
        Number("Deadline"),
        Unseen("Pause or resume"),
    ];
    table("Kinds of task", &heads, lines)
}

/// `4 up, 1 silent`.
pub fn summary(processes: &[ProcessInfo]) -> String {
    let told = [ProcessState::Up, ProcessState::Silent, ProcessState::Stopping].into_iter().filter_map(|state| {
        let count = processes.iter().filter(|process| process.state == state).count();
        (count > 0).then(|| format!("{count} {}", state.label().to_lowercase()))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}
