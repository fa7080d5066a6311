//! Which tasks: by groups of states, and for those who may read them the tasks of all staff.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::{Role, TaskKind};

use super::page_address::{Group, SCOPES, scope};
use crate::{components::icon::Icon, url};

/// The tabs.
pub fn task_tabs(search: &str, role: Role) -> AnyView {
    let groups = Group::ALL
        .map(|group| tab(search, "show", group.name(), group.label(), Group::of(search) == group))
        .into_iter()
        .collect_view();
    let whose = role.reads_all_tasks().then(|| whose(search));
    view! {
        <section aria-label="Filters" class="stack tight">
            <nav aria-label="State"><ul class="tabs">{groups}</ul></nav>
            <div class="line">{whose}{kinds(search)}</div>
        </section>
    }
    .erase()
}

fn whose(search: &str) -> AnyView {
    let tabs = SCOPES
        .map(|(whose, label, name)| tab(search, "scope", name, label, scope(search) == whose))
        .into_iter()
        .collect_view();
    view! { <nav aria-label="Whose tasks"><ul class="tabs segmented">{tabs}</ul></nav> }.erase()
}

fn tab(search: &str, key: &str, name: Option<&str>, label: &'static str, current: bool) -> AnyView {
    let href = url::join("/tasks", &url::set(search, key, name));
    view! { <li><a href=href aria-current=current.then_some("page") data-noscroll>{label}</a></li> }.erase()
}

fn kinds(search: &str) -> AnyView {
    let asked = url::value(search, "kind");
    const EVERY: (Option<&str>, &str) = (None, "All actions");
    let of_people = TaskKind::ALL.iter().filter(|kind| kind.description().has_people());
    let kinds = of_people.map(|kind| (Some(kind.name()), kind.label()));
    let kinds: Vec<_> = [EVERY].into_iter().chain(kinds).collect();
    let (_, label) = *kinds.iter().find(|(name, _)| *name == asked.as_deref()).unwrap_or(&EVERY);
    let links = kinds
        .into_iter()
        .map(|(name, label)| {
            let href = url::join("/tasks", &url::set(search, "kind", name));
            let current = (name == asked.as_deref()).then_some("page");
            view! { <a href=href aria-current=current data-noscroll>{label}</a> }
        })
        .collect_view();
    view! {
        <details class="menu start">
            <summary class="button quiet small"><span class="hidden">"Action: "</span>{label}<Icon name="down"/></summary>
            <div class="panel">{links}</div>
        </details>
    }
    .erase()
}
