//! Whether the queue is well, and if not, why and what to do.

mod tiles;

use leptos::prelude::*;
use model::{
    Instant, TaskRow,
    admin::{Attention, AttentionCode, Level, ProcessInfo, QueueHealth, QueueHistory, Window},
};

use super::{processes, words};
use crate::components::values::numbers::{grouped, units};
use crate::{
    components::{
        icon::Icon,
        table::{
            Head::{Number, Text},
            table,
        },
        tip::Tip,
        type_erasure::Erase,
        values::{
            badge::Badge,
            chart::{Chart, ChartLine},
            outcome_bar::OutcomeBar,
            time::{Time, span},
        },
    },
    help::hint::Hint,
    url,
};

/// The running tasks that are shown.
pub const RUNNING: usize = 8;

/// What the page shows.
pub struct OverviewContent {
    pub health: QueueHealth,
    pub window: Window,
    pub history: QueueHistory,
    /// Those that have run longest, with their process and whether they are stalled.
    pub running: Vec<(TaskRow, Option<String>, bool)>,
    pub processes: Vec<ProcessInfo>,
}

/// The page.
pub fn view(content: OverviewContent) -> AnyView {
    let OverviewContent { health, window, history, running, processes } = content;
    let (icon, tone) = match health.worst() {
        None => ("done", "ok"),
        Some(Level::Bad) => ("failed", "danger"),
        Some(Level::Warn) => ("problems", "warn"),
        Some(Level::Note) => ("info", "info"),
    };
    let badge = view! { <Badge icon tone text=health.headline()/> };
    let headline = match health.attention.is_empty() {
        true => badge.erase(),
        false => view! { <a href="#h-att">{badge}</a> }.erase(),
    };
    let tiles = tiles::view(&health, &history, window);
    let stalled = (health.stalled > 0).then(|| view! { <span class="line">"Stalled"<Tip on=Hint::Stalled/></span> });
    let all = (health.running > 0).then(|| {
        view! { <a href="/admin/tasks?state=RUNNING">{format!("All {}", grouped(health.running))}</a> }
    });
    view! {
        <header class="head">
            <div>
                <div class="title"><h1>"Queue"</h1>{headline}</div>
            </div>
            {range(window)}
        </header>
        {attention(&health.attention)}
        <section aria-labelledby="h-now">
            <h2 id="h-now" class="hidden">"Now"</h2>
            {tiles}
        </section>
        {charts(&history)}
        <div class="halves roomy large">
            <section aria-labelledby="h-run">
                <div class="section">
                    <div class="line"><h2 id="h-run">"Running, longest first"</h2>{stalled}</div>
                    {all}
                </div>
                {running_table(running, health.at)}
            </section>
            <section aria-labelledby="h-proc">
                <div class="section">
                    <h2 id="h-proc">"Processes"</h2>
                    <span>{processes::summary(&processes)}</span>
                </div>
                {processes::table_of(processes, None)}
            </section>
        </div>
    }
    .erase()
}

fn range(window: Window) -> AnyView {
    let options = Window::CHARTED.iter().map(|choice| {
        view! { <option value=choice.name() selected=*choice == window>{choice.label()}</option> }
    });
    view! {
        <form class="line" method="get" action="/admin" data-noscroll>
            <label for="range" class="meta soft">"Period"</label>
            <span class="select">
                <select id="range" name="window">{options.collect_view()}</select>
                <Icon name="down"/>
            </span>
            <button class="button">"Apply"</button>
        </form>
    }
    .erase()
}

/// The page where something can be done about it, and what the link says.
fn page_of(item: &Attention) -> (String, &'static str) {
    let about = item.about.as_deref().unwrap_or_default();
    let (page, link) = match item.code {
        AttentionCode::NoProcess | AttentionCode::SilentProcess => ("/admin/processes", "See the processes"),
        AttentionCode::Stalled => ("/admin/tasks?stalled=yes", "See them"),
        AttentionCode::Failing => {
            let cause = item.about.as_deref().map(|cause| ("cause", cause));
            return (url::with("/admin/failures", cause.as_slice()), "See the failures");
        }
        AttentionCode::UnknownKind => {
            let of_kind = [("kind", about), ("state", "WAITING")];
            return (url::with("/admin/tasks", &of_kind), "See them");
        }
        AttentionCode::KindPaused => return (url::below("/admin/kinds", about), "See the kind"),
        AttentionCode::OwnerStopped => return (format!("/admin/users/{about}"), "See the user"),
        AttentionCode::LateSchedule | AttentionCode::FailedSchedule => ("/admin/schedules", "See the schedules"),
        AttentionCode::LockOverdue => ("/admin/locks", "See the locks"),
        AttentionCode::LongWait => ("/admin/tasks?state=WAITING&order=oldest", "See waiting tasks"),
        AttentionCode::LongStep => return (format!("/admin/tasks/{about}"), "See the task"),
        AttentionCode::BrokerAway => ("/admin/settings#rabbitmq.url", "See the setting"),
        AttentionCode::MailNotConfigured => ("/admin/settings#mail.smtp_url", "See how to set it up"),
        AttentionCode::DiskLow if about == "database" => ("/admin/settings#database.url", "See where it is"),
        AttentionCode::DiskLow => ("/admin/settings#export.store", "See where they are"),
    };
    (page.to_owned(), link)
}

fn attention(items: &[Attention]) -> AnyView {
    if items.is_empty() {
        return ().erase();
    }
    let lines = items.iter().map(|item| {
        let (class, icon) = match item.level {
            Level::Bad => ("bad", "failed"),
            Level::Warn => ("", "stalled"),
            Level::Note => ("note", "info"),
        };
        // A pause is told as what somebody did, and the rest as what is so since then.
        let word = if item.code == AttentionCode::KindPaused { "" } else { "since " };
        let since = item.since.map(|at| view! { " "<small class="nowrap">{word}<Time at ahead=true/></small> });
        let (href, link) = page_of(item);
        view! {
            <li data-key=format!("{:?} {}", item.code, item.about.as_deref().unwrap_or_default()) class=class>
                <Icon name=icon/>
                <div>{item.text.clone()}{since}</div>
                <a class="button small" href=href>{link}</a>
            </li>
        }
    });
    view! {
        <section aria-labelledby="h-att">
            <h2 id="h-att" class="hidden">"Problems"</h2>
            <ul class="attention">{lines.collect_view()}</ul>
        </section>
    }
    .erase()
}

fn charts(history: &QueueHistory) -> AnyView {
    let each = match history.step {
        60 => "per minute".to_owned(),
        step => format!("per {}", span(step)),
    };
    let of = |value: fn(&model::admin::HistoryPart) -> Option<f64>| history.parts.iter().map(value).collect::<Vec<_>>();
    let line = |class, name, values| ChartLine { class, name, values };
    let done = Chart {
        title: format!("Tasks {each}"),
        unit: "tasks",
        start: history.start,
        step: history.step,
        lines: vec![line("done", "done", of(|part| Some(part.done as f64)))],
        failed: Some(history.parts.iter().map(|part| part.failed).collect()),
    };
    let spans = |title: &str, p50, p95| Chart {
        title: title.to_owned(),
        unit: "s",
        start: history.start,
        step: history.step,
        lines: vec![line("p50", "median", p50), line("p95", "95th percentile", p95)],
        failed: None,
    };
    let wait = spans("Wait before start, seconds", of(|part| part.wait_p50), of(|part| part.wait_p95));
    let run = spans("Run time, seconds", of(|part| part.run_p50), of(|part| part.run_p95));
    let charts = [done, wait, run];
    if charts.iter().all(Chart::is_empty) {
        return view! { <p class="soft">"The charts begin a minute after the first task of this period ends."</p> }
            .erase();
    }
    view! { <div class="halves roomy thirds">{charts.into_iter().map(Chart::view).collect_view()}</div> }.erase()
}

/// How long a task still takes if it goes on as it has since its attempt began.
fn left(row: &TaskRow, now: Instant) -> Option<String> {
    let ran = (now - row.started_date?).as_seconds_f64();
    let (done, open) = (row.treated() as f64, row.open() as f64);
    (done > 0.0 && ran > 1.0).then(|| span((open * ran / done).ceil() as u64))
}

fn running_table(running: Vec<(TaskRow, Option<String>, bool)>, at: Instant) -> AnyView {
    if running.is_empty() {
        return view! { <p class="soft">"Nothing is running."</p> }.erase();
    }
    let lines = running
        .into_iter()
        .map(|(row, process, stalled)| {
            let flag = stalled.then(|| {
                view! { " "<span class="badge warn flag"><Icon name="stalled"/>"Stalled"</span> }
            });
            let left = left(&row, at).unwrap_or_else(|| "not known yet".to_owned());
            let done = format!("{}%", row.percent());
            let words = match row.total {
                Some(total) => format!("{done} of {}", units(&row.description(), total)),
                None => done,
            };
            let label = row.title.clone();
            view! {
                <tr data-key=row.id.to_string() data-task-id=row.id.to_string() data-task-status=row.status.name()>
                    <th scope="row"><a href=format!("/admin/tasks/{}", row.id)>{row.title.clone()}</a>{flag}</th>
                    <td class="brief soft" data-prefix="attempt">{row.attempt.to_string()}</td>
                    <td class="brief">{row.owner_name.clone()}</td>
                    <td class="brief soft">{process.map(|process| words::process(&process))}</td>
                    <td class="first">
                        <div class="outcome inline"><OutcomeBar row=row.clone() label/><span>{words}</span></div>
                    </td>
                    <td class="brief num" data-prefix="left">{left}</td>
                </tr>
            }
        })
        .collect_view();
    let heads = [Text("Task"), Text("Attempt"), Text("Owner"), Text("Process"), Text("Progress"), Number("Time left")];
    view! { <div data-moves>{table("Running tasks", &heads, lines)}</div> }.erase()
}
