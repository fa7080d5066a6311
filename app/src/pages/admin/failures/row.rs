//! A row of the list: a cause of failed tasks.

use chrono::TimeDelta;
use leptos::prelude::*;
use model::{
    Instant,
    admin::{FailureGroup, Window},
    kind::Description,
};

use super::group::{counted_by, state, verbs};
use crate::{
    components::{
        type_erasure::Erase,
        values::{
            chart::spark,
            numbers::{counted, grouped, units},
            time::Time,
        },
    },
    pages::admin::{
        remedy::remedy,
        tasks::check::{AskedOn, FAILURES},
        words,
    },
    url,
};

/// Where a cause stands on the page.
pub struct Standing {
    pub window: Window,
    /// Whether its details are open.
    pub shown: bool,
    /// Whether it is what to do first.
    pub first: bool,
}

/// A cause of failed tasks; one that is called like another also says what a machine said of it.
pub fn row(group: &FailureGroup, has_twin: bool, place: &Standing) -> AnyView {
    let href = url::with(FAILURES, &[("cause", group.cause.as_str()), ("window", place.window.name())]);
    let said: Option<String> =
        has_twin.then(|| group.detail.lines().next().unwrap_or_default().chars().take(140).collect());
    let said = said.map(|said| view! { <span class="sub clamp id">{said}</span> });
    let to_do = (group.dead + group.retrying > 0).then(|| view! { <span class="sub">{remedy(&group.code)}</span> });
    let open = match group.open {
        0 => nobody(),
        open => concerned(units(&Description::of(&group.kind), open), "not processed"),
    };
    let verbs = (group.dead + group.retrying > 0).then(|| {
        let words = match group.dead {
            0 => ["Retry now…".to_owned(), "Close…".to_owned()],
            dead => ["Retry", "Close"].map(|verb| format!("{verb} {}…", grouped(dead))),
        };
        let class = if place.first { "button small primary" } else { "button small" };
        let verbs = verbs(group, place.window, AskedOn::Failures, words, [class, "button small"]);
        view! { <div class="verbs">{verbs}</div> }
    });
    let label = format!("{} in this period", counted(group.failures, "failed attempt", "failed attempts"));
    let current = place.shown.then_some("true");
    view! {
        <tr data-key=group.cause.clone() data-cause=group.cause.clone() data-open=place.shown>
            <th scope="row">
                <a href=href data-noscroll aria-current=current>{group.title.clone()}</a>
                <span class="sub">{words::kind(&group.kind)}</span>
                {to_do}
                {said}
            </th>
            <td class="first">{state(group)}{parts(group)}</td>
            <td class="brief num" data-suffix=if group.tasks == 1 { "task" } else { "tasks" }>{number(group, place.window)}</td>
            {open}
            <td class="first">{spark(&group.history, true, true, label)}</td>
            {seen(group.first_date, group.last_date)}
            <td class="acts">{verbs}</td>
        </tr>
    }
    .erase()
}

/// Of tasks in two states, how many are in each.
fn parts(group: &FailureGroup) -> Option<AnyView> {
    let (dead, retrying) = (group.dead, group.retrying);
    let words = || format!("{} failed, {} waiting to retry", grouped(dead), grouped(retrying));
    (dead > 0 && retrying > 0).then(|| view! { <span class="sub">{words()}</span> }.erase())
}

/// Whom it concerns, and how.
pub fn concerned(who: String, how: &'static str) -> AnyView {
    view! { <td class="brief num"><span>{who}</span>" "<span class="sub how">{how}</span></td> }.erase()
}

fn nobody() -> AnyView {
    view! { <td class="wide-only num soft">"none"</td> }.erase()
}

/// Since when, and when last.
pub fn seen(first: Instant, last: Instant) -> AnyView {
    let since =
        (last - first > TimeDelta::minutes(1)).then(|| view! { <span class="sub">"first "<Time at=first/></span> });
    view! { <td class="brief nowrap" data-prefix="last seen"><Time at=last/>{since}</td> }.erase()
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
