//! All tasks: which, in which states, and what to do with several at once. Everything stands in the address; the forms work
//! without scripts.

pub mod check;
mod check_words;
pub mod columns;

use leptos::prelude::*;
use model::{
    Cursor, Page, Total,
    admin::{AdminTaskQuery, AdminTaskRow, TaskOrder, Window},
    task::{TaskGroup, TaskState},
};

use super::{
    fields::{TypedFilter, chip, days, end_of_span, instants, select},
    words,
};
use crate::components::values::numbers::{self, grouped, short};
use crate::{
    components::{blank::Blank, fold::fold, icon::Icon, search_field::SearchField, type_erasure::Erase, values::pager},
    url,
};
use columns::ListColumn;

/// Where the page is.
pub const PAGE: &str = "/admin/tasks";

/// The key of those that the list is narrowed to, where other tasks are chosen.
pub const AMONG: &str = "among";

/// What is looked at together: everything, and each group that tasks count in, those first that something happens to.
pub fn tabs() -> impl Iterator<Item = Option<TaskGroup>> {
    std::iter::once(None).chain(TaskGroup::ALL.iter().copied().map(Some))
}

/// What the page shows.
pub struct TasksContent {
    pub query: AdminTaskQuery,
    pub typed: TypedFilter,
    /// What the cause is called that the list is narrowed to.
    pub cause: Option<String>,
    pub page: Page<AdminTaskRow>,
    /// One for each of [`tabs`].
    pub counts: Vec<Total>,
    /// Usernames and names, for the choice.
    pub owners: Vec<(String, String)>,
    /// Ids and names of the processes that there are, for the choice.
    pub processes: Vec<(String, String)>,
    /// What has come since the page was opened.
    pub newer: u64,
    pub columns: Vec<ListColumn>,
}

/// The page.
pub fn view(content: TasksContent) -> AnyView {
    let TasksContent { query, typed, cause, page, counts, owners, processes, newer, columns } = content;
    let total = page.total;
    let showing = (newer > 0).then(|| {
        let label =
            if newer == 1 { "Show 1 new task".to_owned() } else { format!("Show {} new tasks", grouped(newer)) };
        let href = with_columns(&query, &columns);
        view! { <a class="button small" href=href data-anew>{label}</a> }
    });
    view! {
        <header class="head">
            <div>
                <h1>"All tasks"</h1>
                <p class="facts"><span>{format!("Of all staff, {}", query.order.label().to_lowercase())}</span></p>
            </div>
            <div class="line" aria-live="polite">{showing}</div>
        </header>
        {state_tabs(&query, &columns, &counts)}
        {filters(&query, &typed, &columns, owners, processes)}
        {chips(&query, &typed, &columns, cause, page.items.is_empty())}
        {list(&query, &typed, &columns, page.items, page.next, total)}
    }
    .erase()
}

/// The address of this list, from its beginning, with these columns.
fn with_columns(query: &AdminTaskQuery, columns: &[ListColumn]) -> String {
    url::with(PAGE, &listed(query, columns))
}

/// What is listed, and how: the filters, how many to a page, and the columns.
fn listed(query: &AdminTaskQuery, columns: &[ListColumn]) -> Vec<(&'static str, String)> {
    let mut pairs = query.pairs();
    pairs.extend(query.limit.map(|limit| ("limit", limit.to_string())));
    pairs.extend(ListColumn::names(columns).map(|names| (columns::KEY, names)));
    pairs
}

fn state_tabs(query: &AdminTaskQuery, columns: &[ListColumn], counts: &[Total]) -> AnyView {
    // Where no task needs a second person there is nothing to look for.
    let is_used = |group: Option<TaskGroup>, count: &Total| {
        group != Some(TaskGroup::Unapproved) || count.value > 0 || query.states == TaskGroup::Unapproved.states()
    };
    let tabs = tabs().zip(counts).filter(|(group, count)| is_used(*group, count)).map(|(group, count)| {
        let states = group.map(TaskGroup::states).unwrap_or_default();
        let label = match group {
            // There is room for one word.
            Some(TaskGroup::Closed) => "Closed",
            Some(TaskGroup::Scheduled) => "Scheduled or held",
            group => group.map_or("All", TaskGroup::label),
        };
        let href = with_columns(&AdminTaskQuery { states: states.clone(), ..query.clone() }, columns);
        // A list of some of its states lies behind this tab too.
        let within = !query.states.is_empty() && query.states.iter().all(|state| states.contains(state));
        let current = within || query.states == states;
        let number = (!states.is_empty()).then(|| {
            view! { <span class="count">{short(*count)}</span> }
        });
        view! { <li><a href=href aria-current=current.then_some("page") data-noscroll>{label}{number}</a></li> }
    });
    view! { <nav aria-label="State"><ul class="tabs">{tabs.collect_view()}</ul></nav> }.erase()
}

fn filters(
    query: &AdminTaskQuery,
    typed: &TypedFilter,
    columns: &[ListColumn],
    owners: Vec<(String, String)>,
    processes: Vec<(String, String)>,
) -> AnyView {
    // One alone runs whatever runs.
    let process = (processes.len() > 1 || query.process.is_some())
        .then(|| select("process", "All processes", processes, query.process.as_deref()));
    let kinds = words::kinds().into_iter().map(|(kind, noun)| (kind.to_owned(), noun.to_owned())).collect();
    let windows = Window::ALL.iter().map(|window| (window.name().to_owned(), window.label().to_owned())).collect();
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let states = query.states.iter().map(|state| state.name()).collect::<Vec<_>>().join(",");
    let order = Some(query.order).filter(|order| *order == TaskOrder::Oldest).map(TaskOrder::name).unwrap_or_default();
    let only = query.pairs().into_iter().find(|(key, _)| *key == "only").map(|(_, ids)| ids).unwrap_or_default();
    let hidden = [("state", states), ("cause", text(&query.cause)), ("order", order.to_owned()), ("only", only)];
    let hidden = hidden.into_iter().filter(|(_, value)| !value.is_empty());
    let hidden = hidden.map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let ended = query.ended.map(|window| view! { <input type="hidden" name="ended" value=window.name()/> });
    let set = [
        query.kind.is_some(),
        query.owner.is_some(),
        query.window.is_some(),
        query.since.is_some() || query.until.is_some(),
        query.process.is_some(),
        query.stalled,
    ];
    let set = set.into_iter().filter(|set| *set).count();
    view! {
        <form class="filters many" role="search" method="get" action=PAGE data-noscroll aria-label="Filters">
            <SearchField name="error" label="Search by error message or task ID" placeholder="Error or task ID" value=text(&query.error) by_key=true/>
            {fold(set, typed.is_wrong())}
            {select("kind", "All kinds", kinds, query.kind.as_deref())}
            {select("owner", "All owners", owners, query.owner.as_deref())}
            {select("window", "Any time", windows, query.window.map(Window::name))}
            {dates(query, typed)}
            {process}
            <label class="choice">
                <input type="checkbox" name="stalled" value="yes" checked=query.stalled/>
                <span>"Stalled only"</span>
            </label>
            {hidden.collect_view()}
            {ended}
            {columns::menu(columns)}
            <button class="button">"Apply"</button>
        </form>
    }
    .erase()
}

/// The days, which few ask for: behind a word that says whether they are set.
fn dates(query: &AdminTaskQuery, typed: &TypedFilter) -> AnyView {
    let is_wrong = typed.has_wrong_days();
    let is_set = query.since.is_some() || query.until.is_some();
    let label = if is_set { "Dates · set" } else { "Dates" };
    view! {
        <details class="menu" open=is_wrong>
            <summary class="button">{label}<Icon name="down"/></summary>
            <div class="panel stack tight">{days(query.since, query.until, typed)}</div>
        </details>
    }
    .erase()
}

/// What narrows the list and has no field, each with a way to drop it; and how far back a text was looked for.
fn chips(
    query: &AdminTaskQuery,
    typed: &TypedFilter,
    columns: &[ListColumn],
    cause: Option<String>,
    is_empty: bool,
) -> AnyView {
    let without = |change: fn(&mut AdminTaskQuery)| {
        let mut query = query.clone();
        change(&mut query);
        with_columns(&query, columns)
    };
    let cause = query.cause.as_ref().map(|id| {
        let cause = cause.unwrap_or_else(|| id.clone());
        chip(format!("Cause: {cause}"), without(|query| query.cause = None))
    });
    let ended = query
        .ended
        .map(|window| chip(format!("Ended: {}", window.label().to_lowercase()), without(|query| query.ended = None)));
    let is_tab = |states: &[TaskState]| query.states.iter().all(|state| states.contains(state));
    let states = Some(&query.states).filter(|states| !states.is_empty());
    let states = states.filter(|_| !tabs().flatten().any(|group| is_tab(&group.states()))).map(|states| {
        let words: Vec<String> = states.iter().map(|state| state.label().to_lowercase()).collect();
        chip(format!("State: {}", words.join(" or ")), without(|query| query.states = Vec::new()))
    });
    let only = query.only.as_ref().map(|only| {
        chip(
            format!("These {}", numbers::tasks(only.len() as u64)).replace("These 1 ", "This "),
            without(|query| query.only = None),
        )
    });
    let searched = (query.error.is_some() && query.window.is_none() && query.since.is_none()).then(|| {
        view! { <span class="meta soft">"Searches error messages of the last 7 days, at most the latest 3,000. Choose a period to search further back."</span> }
    });
    let ends = instants(query.since, query.until).into_iter().map(|(key, value)| {
        let without = match key {
            "since" => without(|query| query.since = None),
            _ => without(|query| query.until = None),
        };
        chip(end_of_span(key, &value), without)
    });
    let ends: Vec<AnyView> = ends.collect();
    // The tab stays.
    let unfiltered =
        AdminTaskQuery { states: query.states.clone(), order: query.order, limit: query.limit, ..Default::default() };
    let is_filtered = typed.is_wrong() || query.pairs() != unfiltered.pairs();
    // An empty list has the way out under its words.
    let clear = (is_filtered && !is_empty).then(|| {
        let href = with_columns(&unfiltered, columns);
        view! { <a href=href data-noscroll>"Clear filters"</a> }
    });
    if states.is_none() && clear.is_none() {
        return ().erase();
    }
    view! { <div class="chips">{cause}{states}{ended}{only}{ends}{searched}{clear}</div> }.erase()
}

fn list(
    query: &AdminTaskQuery,
    typed: &TypedFilter,
    columns: &[ListColumn],
    rows: Vec<AdminTaskRow>,
    next: Option<Cursor>,
    total: Total,
) -> AnyView {
    if rows.is_empty() {
        // A filter that was refused is one all the same.
        let is_everything = query.is_everything() && !typed.is_wrong();
        let (title, text) = match (is_everything, &query.error) {
            (true, _) => ("No tasks yet", "Whatever staff submit appears here."),
            (false, None) => ("No tasks match", "Remove a filter or clear all."),
            (false, Some(_)) => (
                "No tasks match",
                "The search finds error messages and whole task IDs. For kinds and owners, use the filters.",
            ),
        };
        // Where nothing is set there is nothing to clear.
        let clear = (!is_everything).then(|| view! { <a class="button" href=PAGE>"Clear filters"</a> });
        return view! { <Blank icon="tasks" title text>{clear}</Blank> }.erase();
    }
    let shown = rows.len();
    let other = match query.order {
        TaskOrder::Newest => TaskOrder::Oldest,
        TaskOrder::Oldest => TaskOrder::Newest,
    };
    let turned = with_columns(&AdminTaskQuery { order: other, ..query.clone() }, columns);
    let lines = rows.into_iter().map(|row| line(row, columns)).collect_view();
    // Those that the list is narrowed to are not those that are chosen from it.
    let mut kept: Vec<(&str, String)> =
        query.pairs().into_iter().map(|(key, value)| (if key == "only" { AMONG } else { key }, value)).collect();
    kept.extend(ListColumn::names(columns).map(|names| (columns::KEY, names)));
    let hidden = kept.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let all = short(total);
    let usual = ListColumn::names(columns).is_none().then_some("");
    let first =
        query.after.as_ref().map(|_| view! { <a class="button" href=with_columns(query, columns)>"First page"</a> });
    let next = next.map(|next| {
        let mut pairs = listed(query, columns);
        pairs.push((url::AFTER, next.as_str().to_owned()));
        view! { <a class="button" href=url::with(PAGE, &pairs)>"Next"</a> }
    });
    view! {
        <form method="get" action="/admin/tasks/check" aria-label="Tasks" class="stack tight">
            {hidden.collect_view()}
            <div class="tableframe">
                <div class="sideways">
                    <table class="table cards tall wide all-tasks" data-usual=usual>
                        <caption class="hidden">{format!("Tasks, {}", query.order.label().to_lowercase())}</caption>
                        <thead>
                            <tr>
                                <th scope="col" class="check">
                                    // Scripts show it.
                                    <label hidden>
                                        <input type="checkbox" data-every/>
                                        <span class="hidden">{format!("Select all {shown} on this page")}</span>
                                    </label>
                                </th>
                                <th scope="col">"State"</th>
                                <th scope="col">"Task"</th>
                                {columns.iter().map(|column| column.head(query.order, &turned)).collect_view()}
                            </tr>
                        </thead>
                        <tbody>{lines}</tbody>
                    </table>
                </div>
            </div>
            <div class="pager">
                <div>{pager::place(shown, total, first.is_none())}</div>
                <div>{first}{next}</div>
            </div>
            <div class="selectionbar bulk">
                <div class="what">
                    <strong data-chosen="With the selected tasks">"With the selected tasks"</strong>
                    <span class="soft">"Select some, or choose all"</span>
                    <button class="textbutton" type="reset">"Clear"</button>
                </div>
                <button class="button" name="do" value="retry"><Icon name="retrying"/>"Retry…"</button>
                <button class="button" name="do" value="abandon"><Icon name="abandoned"/>"Close…"</button>
                <details class="menu">
                    <summary class="button">{format!("All {all}")}<Icon name="down"/></summary>
                    <div class="panel">
                        <button name="do" value="retry-all">"Retry all that match…"</button>
                        <button name="do" value="abandon-all">"Close all that match…"</button>
                    </div>
                </details>
            </div>
        </form>
    }
    .erase()
}

fn line(task: AdminTaskRow, columns: &[ListColumn]) -> AnyView {
    let AdminTaskRow { row, stalled, workflow_status_desc, .. } = &task;
    let id = row.id.to_string();
    let error = workflow_status_desc.clone().map(|error| {
        view! { <span class="sub clamp" title=error.clone()>{model::error_code::in_words(&error)}</span> }
    });
    let says = format!("Select {}", row.title);
    let kind = Some(words::kind(&row.kind)).filter(|kind| *kind != row.title && !columns.contains(&ListColumn::Kind));
    // Tasks of one name are told apart by it.
    let short = (!columns.contains(&ListColumn::Id)).then(|| model::short_id(row.id));
    let about: Vec<String> = kind.into_iter().chain(short).collect();
    let about = (!about.is_empty()).then(|| view! { <span class="sub">{about.join(" · ")}</span> });
    let cells = columns.iter().map(|column| column.cell(&task)).collect_view();
    view! {
        <tr data-key=id.clone() data-task-id=id.clone() data-task-status=row.status.name()>
            <td class="check">
                <label><input type="checkbox" name="only" value=id.clone()/><span class="hidden">{says}</span></label>
            </td>
            <td class="first">{words::listed_state(row, *stalled)}</td>
            <th scope="row">
                <a href=format!("/admin/tasks/{id}")>{row.title.clone()}</a>
                {about}
                {error}
            </th>
            {cells}
        </tr>
    }
    .erase()
}
