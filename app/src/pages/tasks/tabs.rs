//! Which tasks: by groups of states, and for those who may read them the tasks of all staff.

use leptos::prelude::*;
use model::task::TaskScope;

use super::address::{Group, scope};
use crate::{account::Account, url};

/// The tabs.
#[component]
pub fn TaskTabs(search: Memo<String>) -> impl IntoView {
    let groups = Group::ALL
        .map(|group| {
            let href = move || url::join("/tasks", &url::set(&search.get(), "show", group.name()));
            let current = move || (Group::of(&search.get()) == group).then_some("page");
            view! { <li><a href=href aria-current=current data-noscroll>{group.label()}</a></li> }
        })
        .into_iter()
        .collect_view();
    let whose = move || {
        Suspend::new(async move {
            let reads_all = Account::expect().me.await.is_ok_and(|me| me.role.reads_all_tasks());
            reads_all.then(|| view! { <Whose search/> })
        })
    };
    view! {
        <section aria-label="Filters" class="stack tight">
            <nav aria-label="State"><ul class="tabs">{groups}</ul></nav>
            <Suspense>{whose}</Suspense>
        </section>
    }
    .into_any()
}

#[component]
fn Whose(search: Memo<String>) -> impl IntoView {
    let tabs = [(TaskScope::Mine, "My tasks", None), (TaskScope::All, "All staff", Some("all"))]
        .map(|(whose, label, name)| {
            let href = move || url::join("/tasks", &url::set(&search.get(), "scope", name));
            let current = move || (scope(&search.get()) == whose).then_some("page");
            view! { <li><a href=href aria-current=current data-noscroll>{label}</a></li> }
        })
        .into_iter()
        .collect_view();
    view! { <nav aria-label="Whose tasks"><ul class="tabs segmented">{tabs}</ul></nav> }.into_any()
}
