//! Failures by their cause: what it is and what to do, how many tasks and people, since when, and a way to retry all of one cause.
//! Who failed in a task that is done stands among them, by the reason.

use chrono::TimeDelta;
use leptos::prelude::*;
use model::{
    Instant, TaskErrorCode,
    admin::{FailureGroup, Failures, Window, failures::PeopleFailed},
    enum_words,
    kind::Description,
};

use super::{
    remedy::{for_people, remedy},
    tasks::check::{self, AskedOn, FAILURES},
    words,
};
use crate::components::values::numbers::{counted, grouped, tasks, units};
use crate::{
    components::{
        blank::Blank,
        icon::Icon,
        type_erasure::Erase,
        values::{badge::Badge, chart::spark, time::Time},
    },
    url,
};

/// The page; `chosen` is the cause that is looked at.
pub fn view(failures: Failures, window: Window, chosen: Option<String>) -> AnyView {
    let facts = facts(&failures).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view();
    let more = failures.more.then(|| {
        view! { <p class="soft">"Only the latest 10,000 failures are shown."</p> }
    });
    let looked_at: u64 = failures.people.iter().map(|group| group.tasks).sum();
    let most = (looked_at >= 100).then(|| {
        view! { <p class="soft">"People who failed are counted in the latest 100 tasks that are done with problems."</p> }
    });
    let shown = chosen.and_then(|chosen| failures.groups.iter().find(|group| group.cause == chosen));
    let heading = shown.map(|_| view! { <h2>"All causes"</h2> });
    let shown_cause = shown.map(|group| group.cause.clone());
    let shown = shown.map(|group| one(group, window));
    let list = match failures.groups.is_empty() && failures.people.is_empty() {
        true => nothing(window),
        false => causes(&failures, window, shown_cause.as_deref()),
    };
    view! {
        <header class="head">
            <div>
                <h1>"Failures"</h1>
                <p class="facts">{facts}</p>
            </div>
            {range(window)}
        </header>
        {shown}
        {heading}
        {list}
        {more}
        {most}
    }
    .erase()
}

/// What is said where there is nothing to list.
fn nothing(window: Window) -> AnyView {
    let period = window.label().to_lowercase();
    let longer = (window != Window::Month).then(|| {
        let href = url::with(FAILURES, &[("window", Window::Month.name())]);
        view! { <a class="button" href=href data-noscroll>"Show the last 30 days"</a> }
    });
    view! {
        <Blank
            icon="done"
            title="Nothing failed"
            text=format!("In the {period} no task failed, and nobody failed in a task that is done.")
        >
            {longer}
            <a class="button" href="/admin">"Back to the queue"</a>
        </Blank>
    }
    .erase()
}

/// What the page is about, in a few words; nothing where the page says that there is nothing.
fn facts(failures: &Failures) -> Vec<String> {
    let (mut dead, mut retrying) = (0, 0);
    for group in &failures.groups {
        dead += group.dead;
        retrying += group.retrying;
    }
    // An import has lines, and other tasks have people.
    let mut failed: Vec<(&'static str, Description, u64)> = Vec::new();
    for group in &failures.people {
        let of = Description::of(&group.kind);
        match failed.iter_mut().find(|(unit, ..)| *unit == of.unit.1) {
            Some((_, _, count)) => *count += group.people,
            None => failed.push((of.unit.1, of, group.people)),
        }
    }
    let failed: Vec<String> = failed.iter().map(|(_, of, count)| units(of, *count)).collect();
    let told = [
        (dead > 0).then(|| format!("{} to retry or close", tasks(dead))),
        (retrying > 0).then(|| format!("{} will be retried automatically", tasks(retrying))),
        (!failed.is_empty()).then(|| format!("{} failed in tasks that are done", failed.join(" and "))),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    match (told.is_empty(), failures.groups.is_empty()) {
        (true, false) => vec!["all of this period are resolved".to_owned()],
        _ => told,
    }
}

/// Whether it was meant to fail.
fn is_test(group: &FailureGroup) -> bool {
    model::error_code::code_of(&group.code) == Some(TaskErrorCode::SelfTest)
}

/// Both ways on, that which helps first.
fn ways(group: &FailureGroup, window: Window, retry: String, close: String) -> AnyView {
    let test = is_test(group);
    let class = |first| if first { "button primary" } else { "button" };
    let retry =
        view! { <a class=class(!test) href=ask(group, "retry", window, AskedOn::Cause)><Icon name="retrying"/>{retry}</a> }.erase();
    let close =
        view! { <a class=class(test) href=ask(group, "abandon", window, AskedOn::Cause)><Icon name="abandoned"/>{close}</a> }.erase();
    if test { [close, retry] } else { [retry, close] }.into_iter().collect_view().erase()
}

fn range(window: Window) -> AnyView {
    let options = Window::CHARTED.iter().map(|choice| {
        view! { <option value=choice.name() selected=*choice == window>{choice.label()}</option> }
    });
    view! {
        <form class="line" method="get" action=FAILURES data-noscroll>
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

/// The tasks that a number of a cause counts, and no others: those that failed for good within the period, or those that will be
/// retried. Of both together the period says nothing, since these have not ended.
fn counted_by(group: &FailureGroup, window: Window) -> Vec<(&'static str, String)> {
    let states = match (group.dead, group.retrying) {
        (1.., 0) => "FAILED,COULD_NOT_START",
        (0, _) => "RETRYING,WAITING",
        _ => "FAILED,COULD_NOT_START,RETRYING,WAITING",
    };
    let mut pairs = vec![("cause", group.cause.clone()), ("state", states.to_owned())];
    pairs.extend((group.retrying == 0).then(|| ("ended", window.name().to_owned())));
    pairs
}

/// The question before all tasks of a cause are retried or closed. Those that retry by themselves are left to it as long as there
/// are others. `from` is where it is asked.
fn ask(group: &FailureGroup, verb: &str, window: Window, from: AskedOn) -> String {
    let mut pairs = vec![("do", format!("{verb}-all")), (check::FROM, from.name().to_owned())];
    pairs.extend(counted_by(
        &FailureGroup { retrying: if group.dead > 0 { 0 } else { group.retrying }, ..group.clone() },
        window,
    ));
    url::with("/admin/tasks/check", &pairs)
}

/// Every cause, with what an administrator looks for first: what it is, what to do, of how many, since when.
fn causes(failures: &Failures, window: Window, shown: Option<&str>) -> AnyView {
    // What is wrong comes before what was meant to fail, and what waits for somebody before what does not.
    let rank = |group: &FailureGroup| match (group.dead, group.retrying) {
        (1.., _) if !is_test(group) => 0,
        (1.., _) => 2,
        (0, 1..) => 3,
        _ => 4,
    };
    let first = failures.groups.iter().find(|group| rank(group) == 0).map(|group| group.cause.as_str());
    let groups = failures.groups.iter().map(|group| {
        let twins = failures.groups.iter().filter(|other| (&other.title, &other.kind) == (&group.title, &group.kind));
        let place = Standing {
            window,
            shown: shown == Some(&group.cause),
            first: shown.is_none() && first == Some(&group.cause),
        };
        (rank(group), row(group, twins.count() > 1, &place))
    });
    let people = failures.people.iter().map(|group| (1, people_row(group)));
    let mut lines: Vec<(u8, AnyView)> = groups.chain(people).collect();
    lines.sort_by_key(|(rank, _)| *rank);
    let lines: Vec<AnyView> = lines.into_iter().map(|(_, line)| line).collect();
    view! {
        <div class="tableframe">
            <table class="table still cards tall linked causes">
                <caption class="hidden">"Failures by cause, unresolved first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Cause, and what to do"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="num">"Tasks"</th>
                        <th scope="col" class="num">"People"</th>
                        <th scope="col">{window.label()}</th>
                        <th scope="col">"Last seen"</th>
                        <th scope="col"><span class="hidden">"Retry, close or show"</span></th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}

/// Where a cause stands on the page.
struct Standing {
    window: Window,
    /// Whether its details are open.
    shown: bool,
    /// Whether it is what to do first.
    first: bool,
}

/// A cause of failed tasks; one that is called like another also says what a machine said of it.
fn row(group: &FailureGroup, has_twin: bool, place: &Standing) -> AnyView {
    let href = url::with(FAILURES, &[("cause", group.cause.as_str()), ("window", place.window.name())]);
    let said: Option<String> =
        has_twin.then(|| group.detail.lines().next().unwrap_or_default().chars().take(140).collect());
    let said = said.map(|said| view! { <span class="sub clamp id">{said}</span> });
    let to_do = (group.dead + group.retrying > 0).then(|| view! { <span class="sub">{remedy(&group.code)}</span> });
    let open = match group.open {
        0 => nobody(),
        open => concerned(units(&Description::of(&group.kind), open), "not processed"),
    };
    let verbs = (group.dead > 0).then(|| {
        let verb = |verb: &str, word: &str, icon: &'static str, primary: bool| {
            let text = format!("{word} {}…", grouped(group.dead));
            let says = format!("{text} {}", group.title);
            let class = if primary { "button small primary" } else { "button small" };
            view! { <a class=class href=ask(group, verb, place.window, AskedOn::Failures) aria-label=says><Icon name=icon/>{text}</a> }
        };
        view! { {verb("retry", "Retry", "retrying", place.first)}" "{verb("abandon", "Close", "abandoned", false)} }
    });
    let label = format!("{} in this period", counted(group.failures, "failed attempt", "failed attempts"));
    let current = place.shown.then_some("true");
    view! {
        <tr data-key=group.cause.clone() data-cause=group.cause.clone()>
            <th scope="row">
                <a href=href data-noscroll aria-current=current>{group.title.clone()}</a>
                <span class="sub">{words::kind(&group.kind)}</span>
                {to_do}
                {said}
            </th>
            <td class="first">{state(group)}</td>
            <td class="brief num" data-suffix=if group.tasks == 1 { "task" } else { "tasks" }>{number(group, place.window)}</td>
            {open}
            <td class="first">{spark(&group.history, true, true, label)}</td>
            {seen(group.first_date, group.last_date)}
            <td class="num">{verbs}</td>
        </tr>
    }
    .erase()
}

/// People who failed for one reason within tasks that are done.
fn people_row(group: &PeopleFailed) -> AnyView {
    let of = Description::of(&group.kind);
    let count = units(&of, group.people);
    let ids: Vec<String> = group.task_ids.iter().map(ToString::to_string).collect();
    let list = url::with("/admin/tasks", &[("only", ids.join(","))]);
    // The people of several tasks stand on no page together.
    let (href, text) = match group.task_ids.as_slice() {
        [one] => {
            let ledger = url::below("/tasks", &one.to_string());
            let these = url::with(&ledger, &[("outcome", "FAILED"), ("reason", group.reason.as_str())]);
            (these, format!("Show {count}"))
        }
        _ => (list.clone(), format!("Show {}", tasks(group.tasks))),
    };
    let title = enum_words::capital(&group.label);
    let says = format!("{text}: {title}");
    let label = format!("{count} {} in this period", of.failed);
    view! {
        <tr data-key=format!("{} {}", group.kind, group.reason) data-reason=group.reason.clone()>
            <th scope="row">
                <a href=href.clone()>{title}</a>
                <span class="sub">{words::kind(&group.kind)}</span>
                <span class="sub">{for_people(&group.kind, &group.reason)}</span>
            </th>
            <td class="first"><Badge icon="problems" tone="warn" text="Done with problems"/></td>
            <td class="brief num" data-suffix=if group.tasks == 1 { "task" } else { "tasks" }><a href=list>{grouped(group.tasks)}</a></td>
            {concerned(count, of.failed)}
            <td class="first">{spark(&group.history, true, true, label)}</td>
            {seen(group.first_date, group.last_date)}
            <td class="num nowrap"><a class="button small" href=href aria-label=says>{text}</a></td>
        </tr>
    }
    .erase()
}

/// Whom it concerns, and how.
fn concerned(who: String, how: &'static str) -> AnyView {
    view! { <td class="brief num"><span>{who}</span><span class="sub">{how}</span></td> }.erase()
}

fn nobody() -> AnyView {
    view! { <td class="wide-only num soft">"none"</td> }.erase()
}

/// Since when, and when last.
fn seen(first: Instant, last: Instant) -> AnyView {
    let since =
        (last - first > TimeDelta::minutes(1)).then(|| view! { <span class="sub">"first "<Time at=first/></span> });
    view! { <td class="brief nowrap" data-prefix="last"><Time at=last/>{since}</td> }.erase()
}

/// Of how many tasks it is the cause, and of how many still: the list has these alone.
fn number(group: &FailureGroup, window: Window) -> AnyView {
    let still = group.dead + group.retrying;
    let text =
        if still == group.tasks { grouped(still) } else { format!("{} of {}", grouped(still), grouped(group.tasks)) };
    match still {
        0 => grouped(group.tasks).erase(),
        _ => view! { <a href=url::with("/admin/tasks", &counted_by(group, window))>{text}</a> }.erase(),
    }
}

/// What became of the tasks of a cause.
fn consequence(group: &FailureGroup) -> String {
    let (stopped, again) = (tasks(group.dead), tasks(group.retrying));
    let told = match (group.dead, group.retrying) {
        (0, 0) => "All were retried or closed.".to_owned(),
        (0, _) => format!("{again} will be retried automatically."),
        (1, 0) => format!("{stopped} failed for good. Docket does not retry it automatically."),
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
    let one_state = |dead, retrying| {
        let these = FailureGroup { dead, retrying, ..group.clone() };
        url::with("/admin/tasks", &counted_by(&these, window))
    };
    let (retried, closed) = match n {
        0 => ("Retry all now…".to_owned(), "Close all…".to_owned()),
        n => (format!("Retry {}…", tasks(n)), format!("Close {}…", tasks(n))),
    };
    let to_do = (n + group.retrying > 0).then(|| {
        view! {
            <div>
                <h3>"What to do"</h3>
                <p>{remedy(&group.code)}</p>
            </div>
            <div class="line">
                {ways(group, window, retried, closed)}
            </div>
        }
    });
    let of_state = |name: &'static str, count: u64, href: String| {
        (count > 0).then(|| view! { <dt>{name}</dt><dd><a href=href>{tasks(count)}</a></dd> })
    };
    let text = format!("{}\n{}", group.code, group.detail);
    view! {
        <section aria-labelledby="h-one" class="panel sunken">
            <div class="section">
                <div class="line"><h2 id="h-one">{group.title.clone()}</h2>{state(group)}</div>
                <a href=url::with(FAILURES, &[("window", window.name())])>"Back to all failures"</a>
            </div>
            <div class="halves">
                <div class="stack tight">
                    <p>{consequence(group)}</p>
                    {to_do}
                </div>
                <dl class="defs">
                    <dt>"Kind"</dt>
                    <dd>{words::kind(&group.kind)}</dd>
                    {of_state("Failed", n, one_state(n, 0))}
                    {of_state("Waiting to retry", group.retrying, one_state(0, group.retrying))}
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
