//! The tasks that one came from and that came from it, beside either page of it. The server renders it.

use leptos::prelude::*;
use model::{TaskState, task::TaskLink};

use crate::components::type_erasure::Erase;

/// The section, if there are any. `pages` is where the pages of tasks are, and `led` says what a child of a kind is to it.
pub fn section(
    pages: &str,
    parent: Option<TaskLink>,
    children: Vec<TaskLink>,
    led: fn(&str) -> &'static str,
) -> Option<AnyView> {
    if parent.is_none() && children.is_empty() {
        return None;
    }
    let line = |what: &'static str, link: TaskLink| {
        let href = format!("{pages}/{}", link.id);
        // What is done may have been undone since: its own page knows.
        let state = (link.state != TaskState::Done).then(|| format!(" · {}", link.state.label().to_lowercase()));
        view! { <dt>{what}</dt><dd data-key=link.id.to_string()><a href=href>{link.title}</a>{state}</dd> }
    };
    let children = children.into_iter().map(|child| line(led(&child.kind), child)).collect_view();
    Some(
        view! {
            <section aria-labelledby="h-related">
                <div class="section"><h2 id="h-related">"Related tasks"</h2></div>
                <dl class="defs">{parent.map(|parent| line("Original task", parent))}{children}</dl>
            </section>
        }
        .erase(),
    )
}
