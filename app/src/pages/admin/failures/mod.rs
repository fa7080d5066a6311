//! Failures by their cause: what it is and what to do, how many tasks and people, since when, and a way to retry all of one cause.
//! Who failed in a task that is done stands among them, by the reason.

mod group;
mod one;
mod people;
mod row;

use leptos::prelude::*;
use model::{
    admin::{FailureGroup, Failures, Window},
    kind::Description,
};

use super::tasks::check::FAILURES;
use crate::{
    components::{
        blank::Blank,
        icon::Icon,
        type_erasure::Erase,
        values::numbers::{tasks, units},
    },
    url,
};
use group::is_test;
use one::one;
use row::Standing;

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
    let failed: Vec<String> =
        failed.iter().map(|(_, of, count)| format!("{} {}", units(of, *count), of.failed)).collect();
    let told = [
        (dead > 0).then(|| format!("{} to retry or close", tasks(dead))),
        (retrying > 0).then(|| format!("{} will be retried automatically", tasks(retrying))),
        (!failed.is_empty()).then(|| format!("{} in tasks that are done", failed.join(" and "))),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    match (told.is_empty(), failures.groups.is_empty()) {
        (true, false) => vec!["all of this period are resolved".to_owned()],
        _ => told,
    }
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

/// In which order causes stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It waits for somebody.
    Failed,
    /// So does what was meant to fail, with which nothing is wrong.
    FailedTest,
    ToRetry,
    /// Tasks that are done with problems.
    Done,
    Resolved,
}

fn rank(group: &FailureGroup) -> Rank {
    match (group.dead, group.retrying) {
        (1.., _) if is_test(group) => Rank::FailedTest,
        (1.., _) => Rank::Failed,
        (0, 1..) => Rank::ToRetry,
        _ => Rank::Resolved,
    }
}

/// Every cause, with what an administrator looks for first: what it is, what to do, of how many, since when.
fn causes(failures: &Failures, window: Window, shown: Option<&str>) -> AnyView {
    let first = failures.groups.iter().find(|group| rank(group) == Rank::Failed).map(|group| group.cause.as_str());
    let groups = failures.groups.iter().map(|group| {
        let twins = failures.groups.iter().filter(|other| (&other.title, &other.kind) == (&group.title, &group.kind));
        let place = Standing {
            window,
            shown: shown == Some(&group.cause),
            first: shown.is_none() && first == Some(&group.cause),
        };
        (rank(group), row::row(group, twins.count() > 1, &place))
    });
    let people = failures.people.iter().map(|group| (Rank::Done, people::row(group)));
    let mut lines: Vec<(Rank, AnyView)> = groups.chain(people).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_retried_stands_before_what_is_retried_by_itself_and_what_is_done() {
        let of = |code: &str, dead, retrying| {
            let now = model::Instant::UNIX_EPOCH;
            rank(&FailureGroup {
                cause: "a1".to_owned(),
                kind: "email".to_owned(),
                title: "Email server".to_owned(),
                code: code.to_owned(),
                detail: String::new(),
                failures: 1,
                tasks: 1,
                dead,
                retrying,
                open: 0,
                first_date: now,
                last_date: now,
                history: Vec::new(),
            })
        };
        let ranks = [
            of("mail_server", 1, 0),
            of(model::TaskErrorCode::SelfTest.name(), 1, 0),
            of("mail_server", 0, 1),
            Rank::Done,
            of("mail_server", 0, 0),
        ];
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    }
}
