//! Which tasks: by groups of states, and for those who may read them the tasks of all staff.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{Me, task::TaskScope};

use super::address::{Group, scope};
use crate::{
    account::Account,
    answer::{Answer, read},
    components::loaded::Loaded,
    url,
};

/// The tabs.
#[component]
pub fn TaskTabs(search: Memo<String>) -> impl IntoView {
    let groups = move || {
        let search = search.get();
        Group::ALL
            .map(|group| tab(&search, "show", group.name(), group.label(), Group::of(&search) == group))
            .into_iter()
            .collect_view()
    };
    let whose = move |answer: Answer| match read::<Me>(answer) {
        Ok(me) if me.role.reads_all_tasks() => whose(search),
        _ => ().erase(),
    };
    view! {
        <section aria-label="Filters" class="stack tight">
            <nav aria-label="State"><ul class="tabs">{groups}</ul></nav>
            <Loaded from=Account::expect().me show=whose/>
        </section>
    }
    .erase()
}

fn whose(search: Memo<String>) -> AnyView {
    let tabs = move || {
        let search = search.get();
        [(TaskScope::Mine, "My tasks", None), (TaskScope::All, "All staff", Some("all"))]
            .map(|(whose, label, name)| tab(&search, "scope", name, label, scope(&search) == whose))
            .into_iter()
            .collect_view()
    };
    view! { <nav aria-label="Whose tasks"><ul class="tabs segmented">{tabs}</ul></nav> }.erase()
}

fn tab(search: &str, key: &str, name: Option<&str>, label: &'static str, current: bool) -> AnyView {
    let href = url::join("/tasks", &url::set(search, key, name));
    view! { <li><a href=href aria-current=current.then_some("page") data-noscroll>{label}</a></li> }.erase()
}
