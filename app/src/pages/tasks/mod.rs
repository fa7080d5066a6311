//! My tasks: what was submitted and what became of it, live.

pub mod address;
pub mod api;
mod list;
mod row;
mod tabs;

use leptos::prelude::*;
use model::TaskRow;

use crate::{
    components::{
        blank::{Blank, Loading, Notice, Refused},
        frame::Frame,
        icon::Icon,
    },
    live::{self, Live},
    url,
};
pub use row::took;

use address::Group;
use api::{CancelTask, RetryTask};
use list::Tasks;

/// The tasks page.
#[component]
pub fn TasksPage() -> impl IntoView {
    let search = url::own_search();
    let found = Resource::new(move || search.get(), api::tasks);
    let tasks = Tasks::new(search);
    let (retry, cancel) = (ServerAction::<RetryTask>::new(), ServerAction::<CancelTask>::new());
    let live = Live::expect();
    live::follow(|| "tasks".to_owned(), true, move |row| tasks.hear(row));
    Effect::new(move |before: Option<_>| {
        let now = (live.resync.get(), retry.version().get(), cancel.version().get());
        if before.is_some_and(|before| before != now) {
            found.refetch();
        }
        now
    });
    let refused = move || {
        let refusal = retry.value().get().and_then(Result::err).or_else(|| cancel.value().get().and_then(Result::err));
        refusal.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })
    };

    view! {
        <Frame title="My tasks" live=true skips=&[("results", "Skip to the tasks")]>
            <header class="head"><div><h1>"My tasks"</h1></div></header>
            <tabs::TaskTabs search/>
            {refused}
            {move || Some(tasks.waiting()).filter(|n| *n > 0).map(|n| view! {
                <button type="button" class="button small newrows" on:click=move |_| found.refetch()>
                    <Icon name="up-arrow"/>
                    {format!("{n} new, show")}
                </button>
            })}
            <section aria-label="Tasks" class="stack tight" id="results" tabindex="-1">
                <Transition fallback=|| view! { <Loading what="tasks"/> }>
                    {move || Suspend::new(async move {
                        match found.await {
                            Ok(page) => {
                                tasks.arrive(&page.items);
                                let next = page.next.clone();
                                if page.items.is_empty() {
                                    view! { <Empty search/> }.into_any()
                                } else {
                                    view! {
                                        <list::TaskTable tasks retry cancel/>
                                        <list::Pager shown=page.items.len() total=page.total next search/>
                                    }
                                    .into_any()
                                }
                            }
                            Err(refusal) => {
                                view! { <Refused refusal retry=url::join("/tasks", &search.get_untracked())/> }.into_any()
                            }
                        }
                    })}
                </Transition>
            </section>
        </Frame>
    }
    .into_any()
}

/// No tasks: not yet, or not in these states.
#[component]
fn Empty(search: Memo<String>) -> impl IntoView {
    let narrowed = search.with_untracked(|search| Group::of(search) != Group::All || url::value(search, "after").is_some());
    if narrowed {
        view! {
            <Blank icon="search" title="No task is here" text="There is none in this state.">
                <a class="button" href="/tasks">"All my tasks"</a>
            </Blank>
        }
        .into_any()
    } else {
        view! {
            <Blank
                icon="tasks"
                title="You have not submitted anything yet"
                text="Select people in the list, choose an action, and follow it here."
            >
                <a class="button primary" href="/people">"Go to people"</a>
            </Blank>
        }
        .into_any()
    }
}

/// What a list of tasks says under each state, in one plain line.
pub fn plain_line(row: &TaskRow) -> Option<String> {
    use model::TaskState::*;
    match row.state {
        Waiting => row.position.map(|place| match place {
            1 => "Next in line".to_owned(),
            n => format!("Number {} in line", model::grouped(n)),
        }),
        Abandoned | Cancelled => match (&row.abandoned_by_name, &row.finish_reason) {
            (Some(name), Some(why)) => Some(format!("By {name}: “{why}”")),
            (Some(name), None) => Some(format!("By {name}")),
            (None, why) => why.as_ref().map(|why| format!("“{why}”")),
        },
        _ => row.trouble.clone(),
    }
}
