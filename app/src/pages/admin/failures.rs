//! Failures by their cause: how many, since when, whether they go on, and a way to retry all of one cause.

use chrono::TimeDelta;
use leptos::prelude::*;
use model::{
    TaskErrorCode,
    admin::{FailureGroup, Failures, Window, failures::PeopleFailed},
    enum_words,
    kind::Description,
};

use super::{remedy::remedy, words};
use crate::components::values::numbers::{self, counted, grouped, tasks, units};
use crate::{
    components::{
        blank::Blank,
        icon::Icon,
        table::{
            Head::{Number, Text},
            table,
        },
        type_erasure::Erase,
        values::{badge::Badge, chart::spark, time::Time},
    },
    url,
};

/// Where the page is.
const PAGE: &str = "/admin/failures";

/// The page; `chosen` is the cause that is looked at.
pub fn view(failures: Failures, window: Window, chosen: Option<String>) -> AnyView {
    let facts = facts(&failures).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view();
    let more = failures.more.then(|| {
        view! { <p class="soft">"Only the latest 10,000 failures are shown."</p> }
    });
    let shown = chosen.and_then(|chosen| failures.groups.iter().find(|group| group.cause == chosen));
    let heading = shown.map(|_| view! { <h2>"All causes"</h2> });
    let shown_cause = shown.map(|group| group.cause.clone());
    let lead = if shown.is_none() { lead(&failures.groups, window) } else { None };
    let shown = shown.map(|group| one(group, window));
    let alone = !failures.people.is_empty();
    let people = people(failures.people, window);
    let list = match failures.groups.is_empty() {
        true if alone => {
            view! { <p class="soft">"No task failed as a whole in this period. Some people in finished tasks did:"</p> }
                .erase()
        }
        true => view! {
            <Blank icon="done" title="Nothing failed" text="No task failed in this period.">
                <a class="button" href="/admin">"Back to the queue"</a>
            </Blank>
        }
        .erase(),
        false => groups(&failures.groups, window, shown_cause.as_deref()),
    };
    view! {
        <header class="head">
            <div>
                <h1>"Failures"</h1>
                <p class="facts">{facts}</p>
            </div>
            {range(window)}
        </header>
        {lead}
        {shown}
        {heading}
        {list}
        {more}
        {people}
    }
    .erase()
}

/// What the page is about, in a few words.
fn facts(failures: &Failures) -> Vec<String> {
    let (mut dead, mut retrying) = (0, 0);
    for group in &failures.groups {
        dead += group.dead;
        retrying += group.retrying;
    }
    let people: u64 = failures.people.iter().map(|group| group.people).sum();
    let told = [
        (dead > 0).then(|| format!("{} to retry or close", tasks(dead))),
        (retrying > 0).then(|| format!("{} will be retried automatically", tasks(retrying))),
        (people > 0).then(|| format!("{} failed in finished tasks", numbers::people(people))),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    match (told.is_empty(), failures.groups.is_empty()) {
        (false, _) => told,
        (true, true) => vec!["nothing failed in this period".to_owned()],
        (true, false) => vec!["all of this period are resolved".to_owned()],
    }
}

/// What to do first: the cause that most tasks wait for somebody with.
fn lead(groups: &[FailureGroup], window: Window) -> Option<AnyView> {
    // What is wrong comes before what was meant to fail.
    let rank = |group: &&FailureGroup| (!is_test(group), group.dead, group.open, group.last_date);
    let first = groups.iter().filter(|group| group.dead > 0).max_by_key(rank)?;
    let others = groups.iter().filter(|group| group.dead > 0).count() > 1;
    let title = if others { "What to do first" } else { "What to do" };
    let href = url::with(PAGE, &[("cause", first.cause.as_str()), ("window", window.name())]);
    Some(
        view! {
            <section aria-labelledby="h-first" class="panel sunken" data-first>
                <h2 id="h-first">{title}</h2>
                <p><strong>{first.title.clone()}</strong>{format!(" ({}). {}", words::kind(&first.kind), consequence(first))}</p>
                <p>{remedy(&first.code)}</p>
                <div class="line">
                    {ways(first, format!("Retry {}…", tasks(first.dead)), format!("Close {}…", tasks(first.dead)))}
                    <a class="button quiet" href=href data-noscroll>"More about this cause"</a>
                </div>
            </section>
        }
        .erase(),
    )
}

/// Whether it was meant to fail.
fn is_test(group: &FailureGroup) -> bool {
    model::error_code::code_of(&group.code) == Some(TaskErrorCode::SelfTest)
}

/// Both ways on, that which helps first.
fn ways(group: &FailureGroup, retry: String, close: String) -> AnyView {
    let test = is_test(group);
    let class = |first| if first { "button primary" } else { "button" };
    let retry = view! { <a class=class(!test) href=ask(group, "retry")><Icon name="retrying"/>{retry}</a> }.erase();
    let close = view! { <a class=class(test) href=ask(group, "abandon")><Icon name="abandoned"/>{close}</a> }.erase();
    if test { [close, retry] } else { [retry, close] }.into_iter().collect_view().erase()
}

fn range(window: Window) -> AnyView {
    let options = Window::CHARTED.iter().map(|choice| {
        view! { <option value=choice.name() selected=*choice == window>{choice.label()}</option> }
    });
    view! {
        <form class="line" method="get" action=PAGE data-noscroll>
            <label for="window" class="meta soft">"Period"</label>
            <span class="select">
                <select id="window" name="window">{options.collect_view()}</select>
                <Icon name="down"/>
            </span>
            <button class="button">"Apply"</button>
        </form>
    }
    .erase()
}

fn state(group: &FailureGroup) -> AnyView {
    match (group.dead, group.retrying) {
        (0, 0) => view! { <Badge icon="done" tone="ok" text="Resolved"/> }.erase(),
        (0, _) => view! { <Badge icon="retrying" tone="warn" text="Waiting to retry"/> }.erase(),
        _ => view! { <Badge icon="failed" tone="danger" text="Failed"/> }.erase(),
    }
}

/// The question before all tasks of a cause are retried or given up.
fn ask(group: &FailureGroup, verb: &str) -> String {
    // Those that retry by themselves are left to it as long as there are others.
    let states = match (verb, group.dead) {
        ("retry", 1..) => "FAILED,COULD_NOT_START",
        _ => "FAILED,COULD_NOT_START,RETRYING",
    };
    url::with(
        "/admin/tasks/check",
        &[("do", format!("{verb}-all").as_str()), ("cause", &group.cause), ("state", states)],
    )
}

fn groups(groups: &[FailureGroup], window: Window, shown: Option<&str>) -> AnyView {
    let lines = groups
        .iter()
        .map(|group| {
            let href = url::with(PAGE, &[("cause", group.cause.as_str()), ("window", window.name())]);
            let first: String = group.detail.lines().next().unwrap_or_default().chars().take(140).collect();
            let most = grouped(group.history.iter().copied().max().unwrap_or_default());
            let failed = counted(group.failures, "failure", "failures");
            let label = format!("{failed} in this period, at most {most} in one interval");
            let verb = match group.dead {
                0 => ().erase(),
                _ => {
                    let says = format!("Retry all of {}", group.title);
                    let ends = format!("Close all of {}", group.title);
                    view! {
                        <a class="button small" href=ask(group, "retry") aria-label=says>
                            <Icon name="retrying"/>
                            "Retry all…"
                        </a>
                        " "
                        <a class="button small" href=ask(group, "abandon") aria-label=ends>
                            <Icon name="abandoned"/>
                            "Close all…"
                        </a>
                    }
                    .into_view()
                    .erase()
                }
            };
            let current = (shown == Some(group.cause.as_str())).then_some("true");
            view! {
                <tr data-key=group.cause.clone() data-cause=group.cause.clone()>
                    <th scope="row">
                        <a href=href data-noscroll aria-current=current>{group.title.clone()}</a>
                        <span class="sub">{words::kind(&group.kind)}</span>
                        <span class="sub clamp id">{first}</span>
                    </th>
                    <td class="first">{state(group)}</td>
                    <td class="brief num" data-prefix="tasks">{number(group)}</td>
                    <td class="brief num" data-prefix="not processed">{open(group)}</td>
                    <td class="first">{spark(&group.history, true, true, label)}</td>
                    <td class="brief nowrap" data-prefix="last">
                        <Time at=group.last_date/>
                        {(group.last_date - group.first_date > TimeDelta::minutes(1)).then(|| view! { <span class="sub">"first "<Time at=group.first_date/></span> })}
                    </td>
                    <td class="num">{verb}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="tableframe">
            <table class="table still cards tall linked">
                <caption class="hidden">"Failures by cause, unresolved first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Cause"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="num">"Tasks"</th>
                        <th scope="col" class="num">"Not processed"</th>
                        <th scope="col">{window.label()}</th>
                        <th scope="col">"Last seen"</th>
                        <th scope="col"><span class="hidden">"Retry or close"</span></th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}

/// Of how many tasks it is the cause, and of how many still: the list has these alone.
fn number(group: &FailureGroup) -> AnyView {
    let still = group.dead + group.retrying;
    let text =
        if still == group.tasks { grouped(still) } else { format!("{} of {}", grouped(still), grouped(group.tasks)) };
    match still {
        0 => grouped(group.tasks).erase(),
        _ => view! { <a href=url::with("/admin/tasks", &[("cause", group.cause.as_str())])>{text}</a> }.erase(),
    }
}

/// Those of its tasks who have no outcome yet: people, lines or steps.
fn open(group: &FailureGroup) -> String {
    match group.open {
        0 => "none".to_owned(),
        open => units(&Description::of(&group.kind), open),
    }
}

/// What became of the tasks of a cause.
fn consequence(group: &FailureGroup) -> String {
    let (stopped, again) = (tasks(group.dead), tasks(group.retrying));
    let told = match (group.dead, group.retrying) {
        (0, 0) => "All were retried or closed.".to_owned(),
        (0, _) => format!("{again} will be retried automatically."),
        (_, 0) => format!("{stopped} failed for good. Docket does not retry them automatically."),
        _ => format!("{stopped} failed for good. {again} will be retried automatically."),
    };
    match group.open {
        0 => told,
        open => format!("{told} Not processed: {}.", units(&Description::of(&group.kind), open)),
    }
}

/// One cause: what happened, what to do, and behind that what a machine said of it.
fn one(group: &FailureGroup, window: Window) -> AnyView {
    let n = group.dead;
    let query = |states: &str| url::with("/admin/tasks", &[("cause", group.cause.as_str()), ("state", states)]);
    let retried = if n == 0 { "Retry all now…" } else { "Retry all…" };
    let to_do = (n + group.retrying > 0).then(|| {
        view! {
            <div>
                <h3>"What to do"</h3>
                <p>{remedy(&group.code)}</p>
            </div>
            <div class="line">
                {ways(group, retried.to_owned(), "Close all…".to_owned())}
            </div>
        }
    });
    let of_state = |name: &'static str, count: u64, states: &str| {
        let href = query(states);
        (count > 0).then(|| view! { <dt>{name}</dt><dd><a href=href>{tasks(count)}</a></dd> })
    };
    let text = format!("{}\n{}", group.code, group.detail);
    view! {
        <section aria-labelledby="h-one" class="panel sunken">
            <div class="section">
                <div class="line"><h2 id="h-one">{group.title.clone()}</h2>{state(group)}</div>
                <a href=url::with(PAGE, &[("window", window.name())])>"Back to all failures"</a>
            </div>
            <div class="halves">
                <div class="stack tight">
                    <p>{consequence(group)}</p>
                    {to_do}
                </div>
                <dl class="defs">
                    <dt>"Kind"</dt>
                    <dd>{words::kind(&group.kind)}</dd>
                    {of_state("Failed", n, "FAILED,COULD_NOT_START")}
                    {of_state("Waiting to retry", group.retrying, "RETRYING")}
                    <dt>"Attempts"</dt>
                    <dd>{format!("{} failed, of {}", grouped(group.failures), tasks(group.tasks))}</dd>
                    <dt>"First seen"</dt>
                    <dd><Time at=group.first_date exact=true/></dd>
                    <dt>"Last seen"</dt>
                    <dd><Time at=group.last_date exact=true/></dd>
                </dl>
            </div>
            <details class="disclosure">
                <summary><Icon name="right"/>"Error text, for support"</summary>
                <pre class="trace" role="group" tabindex="0" aria-label="Error text">{text}</pre>
            </details>
        </section>
    }
    .erase()
}

/// People who failed within tasks that went through.
fn people(groups: Vec<PeopleFailed>, window: Window) -> Option<AnyView> {
    if groups.is_empty() {
        return None;
    }
    let lines = groups
        .into_iter()
        .map(|group| {
            let list = url::with("/admin/tasks", &[("kind", group.kind.as_str()), ("state", "DONE_WITH_PROBLEMS")]);
            let ledger = url::with(&format!("/tasks/{}", group.task), &[("outcome", "FAILED"), ("reason", &group.reason)]);
            // The people of several tasks stand on no page together.
            let people = if group.tasks == 1 { ledger } else { list.clone() };
            view! {
                <tr data-key=format!("{} {}", group.kind, group.reason)>
                    <th scope="row"><a href=people>{enum_words::capital(&group.label)}</a><span class="sub">{words::kind(&group.kind)}</span></th>
                    <td class="brief num" data-prefix="people">{grouped(group.people)}</td>
                    <td class="brief num" data-prefix="tasks"><a href=list>{grouped(group.tasks)}</a></td>
                </tr>
            }
        })
        .collect_view();
    let heads = [Text("Reason"), Number("People"), Number("Tasks")];
    Some(
        view! {
            <section aria-labelledby="h-people">
                <div class="section">
                    <h2 id="h-people">"People who failed in finished tasks"</h2>
                    <span>{format!("in the {} (newest 100 tasks)", window.label().to_lowercase())}</span>
                </div>
                <p class="soft">"These tasks are done, but not for everybody. Open a reason to see the people, or their tasks, and how to go on with them."</p>
                <div class="linked">{table("People who failed, by reason", &heads, lines)}</div>
            </section>
        }
        .erase(),
    )
}
