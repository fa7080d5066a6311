//! The question before many tasks are retried or given up: which they are, which are left alone, and why it is done. Each number
//! leads to the tasks that it counts, and what is said yes to is what was looked at, on whichever page of the list.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Page, TaskRow,
    admin::{AdminTaskQuery, BulkPreview, BulkVerb, StateCount, Window},
};

use super::{
    PAGE,
    check_words::{nothing, running, yes},
};
use crate::components::values::numbers;
use crate::components::values::numbers::{grouped, short};
use crate::{
    components::{
        blank::Blank,
        table::{
            Head::{Number, Text},
            table,
        },
        type_erasure::Erase,
        values::{pager, time::Time},
    },
    pages::admin::{
        act::{self, VerbButton},
        api::ApplyToTasks,
        words,
    },
    refusal::{Refusal, wrong},
    url,
};

/// Where failures are told by their cause, and from where many are retried or closed.
pub const FAILURES: &str = "/admin/failures";

/// Where the page is.
const HERE: &str = "/admin/tasks/check";
/// The keys in its address that say which page of which look it is.
pub const PREVIEW: &str = "preview";

/// What the page shows.
pub struct CheckContent {
    pub query: AdminTaskQuery,
    pub preview: BulkPreview,
    /// A page of all the tasks that it would reach.
    pub page: Page<TaskRow>,
    pub way: Way,
}

/// The key in its address that says on which page it was asked.
pub const FROM: &str = "from";

/// The page on which it was asked, and which is gone back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedOn {
    Tasks,
    /// The failures by their cause.
    Failures,
    /// One cause among them.
    Cause,
}

impl AskedOn {
    pub const fn name(self) -> &'static str {
        match self {
            AskedOn::Tasks => "tasks",
            AskedOn::Failures => "failures",
            AskedOn::Cause => "cause",
        }
    }

    pub fn named(name: Option<&str>) -> AskedOn {
        let others = [AskedOn::Failures, AskedOn::Cause];
        others.into_iter().find(|from| name == Some(from.name())).unwrap_or(AskedOn::Tasks)
    }

    /// Its address; `list` is the query string of the list of tasks.
    fn address(self, query: &AdminTaskQuery, list: &str) -> String {
        let cause = query.cause.as_deref().filter(|_| self == AskedOn::Cause).unwrap_or_default();
        let window = query.ended.map_or("", Window::name);
        match self {
            AskedOn::Tasks => url::join(PAGE, list),
            AskedOn::Failures | AskedOn::Cause => url::with(FAILURES, &[("cause", cause), ("window", window)]),
        }
    }

    /// What it is called.
    const fn title(self) -> &'static str {
        match self {
            AskedOn::Tasks => "All tasks",
            AskedOn::Failures | AskedOn::Cause => "Failures",
        }
    }
}

/// The place of the rail that a page is in: a check is where it was asked.
pub fn place<'a>(path: &'a str, search: &str) -> &'a str {
    let from = AskedOn::named(url::value(search, FROM).as_deref());
    if path == HERE && from != AskedOn::Tasks { FAILURES } else { path }
}

/// Where it was asked and where to go on to; `asked`, `list` and `then` are query strings, the last two of the list.
pub struct Way {
    pub asked: String,
    pub from: AskedOn,
    pub list: String,
    pub then: String,
    /// Whether the tasks are shown from the beginning.
    pub first: bool,
}

/// The page.
pub fn view(content: CheckContent, refusal: Option<Refusal>) -> AnyView {
    let CheckContent { query, preview, page, way } = content;
    let (back, came) = (way.from.address(&query, &way.list), way.from.title());
    let n = preview.will_change;
    let tasks = numbers::tasks(n);
    let (title, consequence) = match preview.verb {
        BulkVerb::Retry => (
            format!("Retry {tasks}?"),
            "They start now or as soon as slots are free, and resume with what is not done. Their earlier failures no longer count.",
        ),
        BulkVerb::Abandon => (
            format!("Close {tasks} for good?"),
            "Closed tasks never run again. Changes already made are kept. Owners see your name and the reason.",
        ),
    };
    let left = left(&query, &preview.left);
    let running = running(&preview);
    let crumbs = view! {
        <ol class="crumbs" aria-label="You are here">
            <li><a href="/admin">"Queue"</a></li>
            <li><a href=back.clone()>{came}</a></li>
        </ol>
    };
    if n == 0 {
        let (title, why, text) = nothing(preview.verb, !preview.left.is_empty());
        let others = others(&query, &preview.left)
            .map(|(_, href, words)| view! { <a class="button" href=href>{format!("Show {words}")}</a> })
            .collect_view();
        return view! {
            <header class="head"><div>{crumbs}<h1>{title}</h1></div></header>
            <Blank icon="tasks" title=why text=text>
                <a class="button" href=back>{if way.from == AskedOn::Tasks { "Back to the tasks" } else { "Back to failures" }}</a>
                {others}
            </Blank>
        }
        .erase();
    }
    let more = preview.more.then(|| {
        view! { <p>{format!("Only the {} oldest are included. Repeat this for the rest.", grouped(n))}</p> }
    });
    // What tasks of several kinds are about is called people.
    let kind = page
        .items
        .first()
        .map(TaskRow::description)
        .filter(|kind| page.items.iter().all(|row| row.description().unit == kind.unit));
    let open = (preview.open > 0).then(|| {
        let who = kind.map_or_else(|| numbers::people(preview.open), |kind| numbers::units(&kind, preview.open));
        let verb = if preview.open == 1 { "is" } else { "are" };
        view! { <p class="soft">{format!("{who} {verb} not processed yet. The list shows how many per task.")}</p> }
    });
    let list = list(&preview, page, &way);
    let hidden = vec![
        ("verb", preview.verb.name().to_owned()),
        (PREVIEW, preview.preview_token.to_string()),
        ("asked", way.asked),
        ("then", way.then),
    ];
    let (label, icon, tone) = match preview.verb {
        BulkVerb::Retry => (format!("Retry {tasks}"), "retrying", "primary"),
        BulkVerb::Abandon => (format!("Close {tasks}"), "abandoned", "danger"),
    };
    let verb = VerbButton::new(ApplyToTasks::url(), label, icon, tone);
    // Without it nothing is sent, so that whoever comes back for the reason had ticked it.
    let ticked = wrong(refusal.as_ref(), "reason").is_some();
    let everything = query.is_everything().then(|| {
        view! {
            <label class="choice">
                <input type="checkbox" name="everything" value="yes" checked=ticked required/>
                <span>{yes(preview.verb, n)}<small>"You have not set a filter"</small></span>
            </label>
        }
        .erase()
    });
    view! {
        <header class="head"><div>{crumbs}<h1>{title}</h1></div></header>
        {act::refused(refusal.as_ref())}
        <div class="columns">
            <div>
                <section aria-labelledby="h-these">
                    <div class="section"><h2 id="h-these">"These tasks"</h2></div>
                    {list}
                </section>
                <section class="panel sunken" aria-label="Confirm">
                    <p>{consequence}</p>
                    {running}
                    {more}
                    {open}
                    {left}
                    {act::form_with("bulk", vec![verb], hidden, everything, refusal.as_ref())}
                    <a class="button quiet" href=back>"Cancel"</a>
                </section>
            </div>
        </div>
    }
    .erase()
}

/// What is asked of whoever has selected no task: which they meant. `list` is the query string of the list.
pub fn nobody(verb: BulkVerb, list: &str) -> AnyView {
    let back = url::join(PAGE, list);
    let all = url::join(HERE, &url::set(list, "do", Some(&format!("{}-all", verb.name()))));
    view! {
        <h1 class="hidden">{format!("{} tasks", verb.label())}</h1>
        <Blank icon="tasks" title="No task is selected" text="Select at least one task, or choose all that match.">
            <a class="button primary" href=back>"Back to the tasks"</a>
            <a class="button" href=all>{format!("{} all that match…", verb.label())}</a>
        </Blank>
    }
    .erase()
}

/// Those that match and are left alone; each number leads to the list of them.
fn left(query: &AdminTaskQuery, left: &[StateCount]) -> Option<AnyView> {
    if left.is_empty() {
        return None;
    }
    let lines = others(query, left)
        .map(|(key, href, words)| view! { <li data-key=key><a href=href>{words}</a>": not included"</li> });
    Some(view! { <ul class="plain soft">{lines.collect_view()}</ul> }.erase())
}

/// Of each state the list of those that are left alone, and how many they are.
fn others(query: &AdminTaskQuery, left: &[StateCount]) -> impl Iterator<Item = (&'static str, String, String)> {
    left.iter().map(|StateCount { state, count }| {
        let these = AdminTaskQuery { states: vec![*state], ..query.clone() };
        let words = format!("{} {}", short(*count), state.label().to_lowercase());
        (state.name(), url::with(PAGE, &these.pairs()), words)
    })
}

/// The tasks that it would reach, page by page, all of the same look.
fn list(preview: &BulkPreview, page: Page<TaskRow>, way: &Way) -> AnyView {
    let Page { items, next, total } = page;
    let look = url::set(&way.asked, PREVIEW, Some(&preview.preview_token.to_string()));
    let first = (!way.first).then(|| view! { <a class="button" href=url::join(HERE, &look)>"First page"</a> });
    let next = next.map(|next| {
        view! { <a class="button" href=url::join(HERE, &url::following(&look, &next))>"Next"</a> }
    });
    let place = pager::place(items.len(), total, way.first);
    let open = preview.open > 0;
    let lines = items.iter().map(|row| line(row, open)).collect_view();
    let mut heads = vec![Text("Task"), Text("State"), Text("Owner"), Text("Submitted")];
    if open {
        heads.push(Number("Not processed"));
    }
    view! {
        {table("Tasks included, latest first", &heads, lines)}
        <div class="pager">
            <div>{place}</div>
            <div>{first}{next}</div>
        </div>
    }
    .erase()
}

fn line(row: &TaskRow, with_open: bool) -> AnyView {
    let people = Some(words::people(row)).filter(|people| !people.is_empty());
    let about: Vec<String> = people.into_iter().chain([model::short_id(row.id)]).collect();
    let about = about.join(" · ");
    view! {
        <tr data-key=row.id.to_string()>
            <th scope="row">
                <a href=format!("/admin/tasks/{}", row.id)>{row.title.clone()}</a>
                <span class="sub">{about}</span>
                {row.trouble.clone().map(|trouble| view! { <span class="sub clamp">{trouble}</span> })}
            </th>
            <td class="first">{words::state(row, false)}</td>
            <td class="brief">{row.owner_name.clone()}</td>
            <td class="brief nowrap" data-prefix="submitted"><Time at=row.created_date/></td>
            {with_open.then(|| open(row))}
        </tr>
    }
    .erase()
}

/// How many of its people, or steps, have no outcome; who they are says its ledger, once it has begun.
fn open(row: &TaskRow) -> AnyView {
    let number = match row.open() {
        0 => return view! { <td class="wide-only"></td> }.erase(),
        n => grouped(n),
    };
    let number = match row.description().has_ledger() && row.attempt > 0 {
        true => view! { <a href=format!("/tasks/{}?outcome=OPEN", row.id)>{number}</a> }.erase(),
        false => number.erase(),
    };
    view! { <td class="brief num" data-prefix="not processed">{number}</td> }.erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_came_from_the_failures_is_still_there_in_the_rail() {
        assert_eq!(place(HERE, "do=retry-all&from=failures&cause=a1"), FAILURES);
        assert_eq!(place(HERE, "do=retry-all&from=cause&cause=a1"), FAILURES);
        assert_eq!([place(HERE, "do=retry-all"), place(PAGE, "from=failures")], [HERE, PAGE]);
    }
}
