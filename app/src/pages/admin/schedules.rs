//! What Docket does by the calendar: when each runs, how it went, and running or pausing it by hand.

use leptos::{prelude::*, server_fn::ServerFn};
use model::admin::ScheduleInfo;

use super::{
    act::{self, VerbButton},
    api::{PauseSchedule, ResumeSchedule, RunSchedule},
    words,
};
use crate::{
    components::{
        blank::Blank,
        table::{
            Head::{Text, Unseen},
            table,
        },
        type_erasure::Erase,
        values::{badge::Badge, time::Time},
    },
    refusal::Refusal,
};

/// The page.
pub fn view(schedules: Vec<ScheduleInfo>) -> AnyView {
    let list = match schedules.is_empty() {
        true => view! {
            <Blank icon="schedule" title="No schedules yet" text="They appear here once a process that runs tasks has started.">
                <a class="button" href="/admin/processes">"See the processes"</a>
            </Blank>
        }
        .erase(),
        false => table_of(schedules),
    };
    view! {
        <header class="head">
            <div>
                <h1>"Schedules"</h1>
                <p class="facts"><span>"recurring jobs of Docket itself"</span></p>
            </div>
        </header>
        {list}
    }
    .erase()
}

fn state(schedule: &ScheduleInfo) -> AnyView {
    let failed = schedule.last.as_ref().is_some_and(|last| last.failed == Some(true));
    match schedule {
        _ if schedule.paused => view! { <Badge icon="held" tone="warn" text="Paused"/> }.erase(),
        _ if schedule.next_date.is_none() => view! { <Badge icon="inactive" tone="" text="Off"/> }.erase(),
        _ if schedule.late => view! { <Badge icon="stalled" tone="warn" text="Late"/> }.erase(),
        _ if failed => view! { <Badge icon="failed" tone="danger" text="Failed last time"/> }.erase(),
        _ => view! { <Badge icon="done" tone="ok" text="On time"/> }.erase(),
    }
}

fn last(schedule: &ScheduleInfo, class: &'static str) -> AnyView {
    let Some(last) = &schedule.last else { return view! { <span class="soft">"never yet"</span> }.erase() };
    let took = match last.took_ms {
        Some(ms) => format!("took {}", words::milliseconds(ms)),
        None => "running".to_owned(),
    };
    let detail = last.detail.clone().map(|detail| format!(", {detail}")).unwrap_or_default();
    view! { <div><Time at=last.fired_date/><div class=class>{format!("{took}{detail}")}</div></div> }.erase()
}

fn table_of(schedules: Vec<ScheduleInfo>) -> AnyView {
    let lines = schedules
        .into_iter()
        .map(|schedule| {
            let next = match (schedule.paused, schedule.next_date) {
                (false, Some(at)) => view! { <Time at ahead=true/> }.erase(),
                _ => view! { <span class="soft">"not until resumed"</span> }.erase(),
            };
            let says = format!("Run or pause {}", schedule.name);
            view! {
                <tr data-key=schedule.name.clone() data-schedule=schedule.name.clone()>
                    <th scope="row">
                        <a href=format!("/admin/schedules/{}", schedule.name) class="id">{schedule.name.clone()}</a>
                        <span class="sub">{schedule.purpose.clone()}</span>
                    </th>
                    <td class="first">{state(&schedule)}</td>
                    <td class="brief">{schedule.words.clone()}</td>
                    <td class="brief nowrap" data-prefix="next">{next}</td>
                    <td class="brief" data-prefix="last">{last(&schedule, "sub clamp")}</td>
                    <td class="nowrap num">
                        <a class="button small" href=format!("/admin/schedules/{}", schedule.name) aria-label=says>"Run or pause…"</a>
                    </td>
                </tr>
            }
        })
        .collect_view();
    let heads = [Text("Schedule"), Text("State"), Text("When"), Text("Next"), Text("Last"), Unseen("Run or pause")];
    table("Schedules", &heads, lines)
}

/// One schedule with what can be done to it.
pub fn one(schedule: ScheduleInfo, refusal: Option<Refusal>) -> AnyView {
    let verbs = match (schedule.paused, schedule.next_date) {
        (true, _) => vec![VerbButton::new(ResumeSchedule::url(), "Resume", "right", "primary")],
        (false, None) => Vec::new(),
        (false, Some(_)) => {
            vec![
                VerbButton::new(RunSchedule::url(), "Run now", "right", "primary"),
                VerbButton::new(PauseSchedule::url(), "Pause", "held", ""),
            ]
        }
    };
    let next = match (schedule.paused, schedule.next_date) {
        (true, _) => view! { <dd>"When resumed, it runs once for all missed times"</dd> }.erase(),
        (false, Some(at)) => view! { <dd><Time at exact=true/></dd> }.erase(),
        (false, None) => view! { <dd>"never: turned off in the settings"</dd> }.erase(),
    };
    let process = schedule.last.as_ref().map(|last| {
        view! { <dt>"Last process"</dt><dd>{words::process(&last.process)}</dd> }
    });
    let last = last(&schedule, "meta soft");
    let which = vec![("name", schedule.name.clone())];
    let form = (!verbs.is_empty()).then(|| act::form("schedule", verbs, which, refusal.as_ref()));
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/schedules">"Schedules"</a></li>
                </ol>
                <div class="title"><h1>{schedule.name.clone()}</h1>{state(&schedule)}</div>
                <p class="facts"><span>{schedule.purpose.clone()}</span></p>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        <section class="panel measure" aria-label="What it does">
            <dl class="defs">
                <dt>"When"</dt>
                <dd>{schedule.words.clone()}</dd>
                <dt>"Written in the settings as"</dt>
                <dd class="id">{format!("{} ({})", schedule.expression, schedule.time_zone)}</dd>
                <dt>"Next"</dt>
                {next}
                <dt>"Last"</dt>
                <dd>{last}</dd>
                {process}
            </dl>
            {form}
            <a class="button quiet" href="/admin/schedules">"Back to the schedules"</a>
        </section>
    }
    .erase()
}
