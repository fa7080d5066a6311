//! My tasks: what was submitted and what became of it, live.

pub mod api;
mod list;
pub mod page_address;
mod row;
mod tabs;
pub mod words;

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{Page, TaskRow};

use crate::{
    answer::{Answer, load, read},
    components::{
        blank::{Blank, Notice, Refused},
        frame::Frame,
        icon::Icon,
        loaded::Loaded,
    },
    live::{self, Live},
    url,
};
use list::Tasks;
use page_address::Group;

/// The tasks page.
#[component]
pub fn TasksPage() -> impl IntoView {
    let search = url::own_search();
    let found = load(move || (search.get(), String::new()), |search, _| Box::pin(api::tasks(search)));
    let tasks = Tasks::new(search);
    live::follow(|| "tasks".to_owned(), true, move |row| tasks.hear(row));
    Live::expect().on_resync(move || found.refetch());

    let show = move |answer: Answer| match read::<Page<TaskRow>>(answer) {
        Ok(page) if page.items.is_empty() => empty(&search.get_untracked()),
        Ok(page) => {
            let shown = page.items.len();
            tasks.arrive(page.items);
            list::list(tasks, shown, page.total, page.next, &search.get_untracked())
        }
        Err(refusal) => view! { <Refused refusal retry=url::join("/tasks", &search.get_untracked())/> }.erase(),
    };
    let refused = search.with_untracked(|search| url::refusal(search));
    let new_ones = move || {
        Some(tasks.waiting()).filter(|n| *n > 0).map(|n| {
            view! {
                <button type="button" class="button small newrows" on:click=move |_| found.refetch()>
                    <Icon name="up-arrow"/>
                    {format!("{n} new, show")}
                </button>
            }
        })
    };
    view! {
        <Frame title="My tasks" live=true skips=&[("results", "Skip to the tasks")]>
            <header class="head"><div><h1>"My tasks"</h1></div></header>
            <tabs::TaskTabs search/>
            {refused.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> })}
            {new_ones}
            <section aria-label="Tasks" class="stack tight" id="results" tabindex="-1">
                <Loaded from=found show what="tasks"/>
            </section>
        </Frame>
    }
    .erase()
}

/// No tasks: not yet, or not in these states.
fn empty(search: &str) -> AnyView {
    let narrowed =
        Group::of(search) != Group::All || [url::AFTER, "kind"].iter().any(|key| url::value(search, key).is_some());
    let (icon, title, text, href, go) = if narrowed {
        ("search", "No task is here", "There is none in this state.", "/tasks", "All my tasks")
    } else {
        let text = "Select people in the list, choose an action, and follow it here.";
        ("tasks", "You have not submitted anything yet", text, "/people", "Go to people")
    };
    view! { <Blank icon title text><a class="button primary" href=href>{go}</a></Blank> }.erase()
}
