//! The list of tasks while the page is alive: rows are replaced where they stand, and new ones wait until they are asked for.

use std::collections::HashMap;

use leptos::{prelude::*, server_fn::ServerFn};
use model::{TaskRow, Total, grouped, task::TaskScope};
use uuid::Uuid;

use super::{
    address::{self, Group},
    api::{CancelTask, RetryTask},
    row::TaskLine,
};
use crate::{account::Account, url};

/// The rows on the page.
#[derive(Clone, Copy)]
pub struct Tasks {
    order: RwSignal<Vec<Uuid>>,
    rows: RwSignal<HashMap<Uuid, TaskRow>>,
    /// Tasks heard of that are not on the page.
    new: RwSignal<Vec<Uuid>>,
    search: Memo<String>,
}

impl Tasks {
    pub fn new(search: Memo<String>) -> Tasks {
        Tasks { order: RwSignal::default(), rows: RwSignal::default(), new: RwSignal::default(), search }
    }

    /// Takes over what was loaded.
    pub fn arrive(self, rows: &[TaskRow]) {
        self.rows.set(rows.iter().map(|row| (row.id, row.clone())).collect());
        self.order.set(rows.iter().map(|row| row.id).collect());
        self.new.set(Vec::new());
    }

    /// Takes over one row that was heard of.
    pub fn hear(self, row: TaskRow) {
        let known = self.rows.with_untracked(|rows| rows.get(&row.id).map(|known| known.modified_date));
        match known {
            Some(known) if row.modified_date < known => {}
            Some(_) => self.rows.update(|rows| {
                rows.insert(row.id, row);
            }),
            None if self.wants(&row) => self.new.update(|new| {
                if !new.contains(&row.id) {
                    new.push(row.id);
                }
            }),
            None => {}
        }
    }

    /// How many new ones wait.
    pub fn waiting(self) -> usize {
        self.new.with(Vec::len)
    }

    /// Whether a task would be on the page if it were loaded now: only the first page gets new ones.
    fn wants(self, row: &TaskRow) -> bool {
        let newest = self.rows.with_untracked(|rows| rows.values().map(|row| row.created_date).max());
        self.search.with_untracked(|search| {
            let mine = Account::known_id().is_none_or(|id| id == row.owner_id);
            url::value(search, "after").is_none()
                && address::belongs(Group::of(search), row.state)
                && (mine || address::scope(search) == TaskScope::All)
                && newest.is_none_or(|newest| row.created_date > newest)
        })
    }
}

/// The table. Its buttons belong to one form, which works without scripts.
#[component]
pub fn TaskTable(tasks: Tasks, retry: ServerAction<RetryTask>, cancel: ServerAction<CancelTask>) -> impl IntoView {
    let lines = move || {
        let order = tasks.order.get();
        order
            .into_iter()
            .map(|id| {
                let row = Memo::new(move |_| tasks.rows.with(|rows| rows.get(&id).cloned()));
                view! { <TaskLine row retry cancel/> }
            })
            .collect_view()
    };
    view! {
        <form id="task-actions" method="post" action=RetryTask::url()></form>
        <div class="tableframe">
            <table class="table cards tall wide">
                <caption class="hidden">"Tasks, newest first"</caption>
                <thead>
                    <tr>
                        <th scope="col">"State"</th>
                        <th scope="col">"Action"</th>
                        <th scope="col" class="num">"People"</th>
                        <th scope="col">"Outcome"</th>
                        <th scope="col">"Started"</th>
                        <th scope="col" class="num">"Took"</th>
                        <th scope="col" class="menu-cell"><span class="hidden">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Below the table.
#[component]
pub fn Pager(shown: usize, total: Total, next: Option<String>, search: Memo<String>) -> impl IntoView {
    let first = move || url::join("/tasks", &url::set(&search.get(), "after", None));
    view! {
        <div class="pager">
            <div>{format!("{} of {}", grouped(shown as u64), total.label())}</div>
            <div>
                {move || url::value(&search.get(), "after").map(|_| view! { <a class="button" href=first>"First page"</a> })}
                {next.map(|next| view! {
                    <a class="button" href=move || url::join("/tasks", &url::set(&search.get(), "after", Some(&next)))>
                        "Next"
                    </a>
                })}
            </div>
        </div>
    }
    .into_any()
}
