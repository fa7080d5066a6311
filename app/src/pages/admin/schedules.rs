//! What Docket does by the calendar: when each runs, how it went, and running or pausing it by hand.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{admin::ScheduleInfo, enum_words};

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
pub fn view(mut schedules: Vec<ScheduleInfo>) -> AnyView {
    // Those that somebody should look at come first, the others in the order of what they do.
    schedules.sort_by_cached_key(|schedule| (is_well(schedule), called(schedule)));
    let facts = facts(&schedules).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view();
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
                <p class="facts">{facts}</p>
            </div>
        </header>
        <p class="soft measure">
            "The recurring jobs that Docket does by itself. Run one now to try it, or pause one while you look into a problem. How often each runs is set in the "
            <a href="/admin/settings#h-recurring-jobs">"settings"</a>"."
        </p>
        {list}
    }
    .erase()
}

/// How many are in which state, what is wrong first.
fn facts(schedules: &[ScheduleInfo]) -> Vec<String> {
    let number = |is: fn(&ScheduleInfo) -> bool| schedules.iter().filter(|schedule| is(schedule)).count();
    let is_off = |schedule: &ScheduleInfo| !schedule.paused && schedule.next_date.is_none();
    let told = [
        (number(|one| is_well(one) && one.next_date.is_some() && one.last.is_some()), "on time"),
        (number(|one| is_well(one) && one.next_date.is_some() && one.last.is_none()), "not run yet"),
        (number(is_off), "off"),
    ];
    let wrong = [
        (number(has_failed), "failed last time"),
        (number(|one| one.late && !one.paused), "late"),
        (number(|one| one.paused), "paused"),
    ];
    let all = wrong.into_iter().chain(told).filter(|(number, _)| *number > 0);
    let facts: Vec<String> = all.map(|(number, state)| format!("{number} {state}")).collect();
    match (facts.is_empty(), number(|one| is_well(one) && one.next_date.is_some() && one.last.is_some())) {
        (true, _) => vec!["None yet".to_owned()],
        (false, well) if well == schedules.len() => vec!["All run on time".to_owned()],
        _ => facts,
    }
}

/// What it is called: what it does. One of another version goes by its name.
fn called(schedule: &ScheduleInfo) -> String {
    if schedule.purpose.is_empty() { schedule.name.clone() } else { schedule.purpose.clone() }
}

fn has_failed(schedule: &ScheduleInfo) -> bool {
    schedule.last.as_ref().is_some_and(|last| last.failed == Some(true))
}

fn is_well(schedule: &ScheduleInfo) -> bool {
    !(schedule.paused || schedule.late || has_failed(schedule))
}

fn state(schedule: &ScheduleInfo) -> AnyView {
    match schedule {
        _ if schedule.paused => view! { <Badge icon="held" tone="warn" text="Paused"/> }.erase(),
        _ if schedule.next_date.is_none() => view! { <Badge icon="inactive" tone="" text="Off"/> }.erase(),
        _ if schedule.late => view! { <Badge icon="stalled" tone="warn" text="Late"/> }.erase(),
        _ if has_failed(schedule) => view! { <Badge icon="failed" tone="danger" text="Failed last time"/> }.erase(),
        _ if schedule.last.is_none() => view! { <Badge icon="scheduled" tone="" text="Not run yet"/> }.erase(),
        _ => view! { <Badge icon="done" tone="ok" text="On time"/> }.erase(),
    }
}

fn last(schedule: &ScheduleInfo, class: &'static str) -> AnyView {
    let Some(last) = &schedule.last else { return view! { <span class="soft">"none yet"</span> }.erase() };
    // Of what is cleaned up there was none.
    let none = |detail: &str| detail.split(", ").all(|part| part.starts_with("0 "));
    let detail = last.detail.as_deref().map(|detail| if none(detail) { "nothing to do" } else { detail });
    let went = match (last.failed, last.took_ms) {
        (Some(true), _) => format!("Failed{}", detail.map(|detail| format!(": {detail}")).unwrap_or_default()),
        (_, Some(ms)) => {
            format!("{} · {}", enum_words::capital(detail.unwrap_or("done")), words::milliseconds(ms))
        }
        (_, None) => "Running".to_owned(),
    };
    view! { <div><Time at=last.fired_date/><div class=class>{went}</div></div> }.erase()
}

fn table_of(schedules: Vec<ScheduleInfo>) -> AnyView {
    let lines = schedules
        .into_iter()
        .map(|schedule| {
            let next = match (schedule.paused, schedule.next_date) {
                (false, Some(at)) => view! { <Time at ahead=true/> }.erase(),
                (true, _) => view! { <span class="soft">"not until resumed"</span> }.erase(),
                (false, None) => view! { <span class="soft">"never: it is off"</span> }.erase(),
            };
            let (verb, does) = match (schedule.paused, schedule.next_date) {
                (true, _) => ("Resume…", "Resume"),
                (false, Some(_)) => ("Run or pause…", "Run or pause"),
                (false, None) => ("Show", "Show"),
            };
            let says = format!("{does}: {}", called(&schedule));
            // On a card the state says already that there was none.
            let (class, prefix) = if schedule.last.is_some() { ("brief", Some("last")) } else { ("wide-only", None) };
            view! {
                <tr data-key=schedule.name.clone() data-schedule=schedule.name.clone()>
                    <th scope="row">
                        <a href=format!("/admin/schedules/{}", schedule.name)>{called(&schedule)}</a>
                        <span class="sub id">{schedule.name.clone()}</span>
                    </th>
                    <td class="first">{state(&schedule)}</td>
                    <td class="brief nowrap">{enum_words::capital(&schedule.words)}</td>
                    <td class="brief nowrap" data-prefix="next">{next}</td>
                    <td class=class data-prefix=prefix data-last>{last(&schedule, "sub clamp")}</td>
                    <td class="nowrap num">
                        <a class="button small" href=format!("/admin/schedules/{}", schedule.name) aria-label=says>{verb}</a>
                    </td>
                </tr>
            }
        })
        .collect_view();
    let heads = [
        Text("Recurring job"),
        Text("State"),
        Text("How often"),
        Text("Next run"),
        Text("Last run"),
        Unseen("Run or pause"),
    ];
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
        view! { <dt>"Last run by"</dt><dd>{words::process(&last.process)}</dd> }
    });
    let last = last(&schedule, "meta soft");
    let which = vec![("name", schedule.name.clone())];
    let setting = match schedule.name.as_str() {
        "clean" => "/admin/settings#rabbitmq.cleanup_interval".to_owned(),
        name => format!("/admin/settings#schedule.{}", name.replace('-', "_")),
    };
    let does = match (schedule.paused, schedule.next_date) {
        (true, _) => "It does not run until you resume it.",
        (false, Some(_)) => {
            "“Run now” makes it run within seconds, beside its usual times. Paused, it does not run until somebody resumes it."
        }
        (false, None) => "It is turned off in the settings, so it cannot be run here.",
    };
    let form = (!verbs.is_empty()).then(|| act::form("schedule", verbs, which, refusal.as_ref()));
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/schedules">"Schedules"</a></li>
                </ol>
                <div class="title"><h1>{called(&schedule)}</h1>{state(&schedule)}</div>
                <p class="facts"><span class="id">{schedule.name.clone()}</span></p>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        <section class="panel measure" aria-label="What it does">
            <dl class="defs">
                <dt>"How often"</dt>
                <dd>{enum_words::capital(&schedule.words)}</dd>
                <dt>"Written in the settings as"</dt>
                <dd><a class="id" href=setting>{format!("{} ({})", schedule.expression, schedule.time_zone)}</a></dd>
                <dt>"Next run"</dt>
                {next}
                <dt>"Last run"</dt>
                <dd>{last}</dd>
                {process}
            </dl>
            <p class="soft">{does}</p>
            {form}
            <a class="button quiet" href="/admin/schedules">"Back to the schedules"</a>
        </section>
    }
    .erase()
}
