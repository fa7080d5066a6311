//! The list of tasks while the page is alive: rows are replaced where they stand, and new ones wait until they are asked for.

use crate::components::type_erasure::Erase;
use leptos::{prelude::*, server_fn::ServerFn};
use model::{Cursor, TaskId, TaskRow, Total, task::TaskScope};

use super::{
    api::RetryTask,
    page_address::{self, Group},
    row,
};
use crate::{account::Account, components::values::pager, url};

/// The rows on the page.
#[derive(Clone, Copy)]
pub struct Tasks {
    rows: RwSignal<Vec<TaskRow>>,
    /// Tasks heard of that are not on the page.
    new: RwSignal<Vec<TaskId>>,
    search: Memo<String>,
    account: Account,
}

impl Tasks {
    pub fn new(search: Memo<String>) -> Tasks {
        Tasks { rows: RwSignal::default(), new: RwSignal::default(), search, account: Account::expect() }
    }

    /// Takes over what was loaded.
    pub fn arrive(self, rows: Vec<TaskRow>) {
        self.rows.set(rows);
        self.new.set(Vec::new());
    }

    /// Takes over one row that was heard of.
    pub fn hear(self, row: TaskRow) {
        let known = self.rows.with_untracked(|rows| rows.iter().position(|known| known.id == row.id));
        match known {
            Some(at) => self.rows.update(|rows| {
                if row.modified_date >= rows[at].modified_date {
                    rows[at] = row;
                }
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
        let newest = self.rows.with_untracked(|rows| rows.iter().map(|row| row.created_date).max());
        self.search.with_untracked(|search| {
            let mine = self.account.known().is_none_or(|me| me.person_id == row.owner_id);
            url::begins(search)
                && page_address::belongs(Group::of(search), row.state)
                && url::value(search, "kind").is_none_or(|kind| kind == row.kind)
                && (mine || page_address::scope(search) == TaskScope::All)
                && newest.is_none_or(|newest| row.created_date > newest)
        })
    }
}

/// The table with its pager. Its buttons belong to one form, which works without scripts.
pub fn list(tasks: Tasks, shown: usize, total: Total, next: Option<Cursor>, search: &str) -> AnyView {
    let whose = page_address::scope(search) == TaskScope::All;
    let lines = move || tasks.rows.with(|rows| rows.iter().map(|row| row::line(row, whose)).collect_view());
    let first = (!url::begins(search)).then(|| {
        view! { <a class="button" href=url::join("/tasks", &url::from_first(search))>"First page"</a> }
    });
    let next = next.map(|next| {
        view! { <a class="button" href=url::join("/tasks", &url::following(search, &next))>"Next"</a> }
    });
    view! {
        <form id="task-actions" method="post" action=RetryTask::url()></form>
        <div class="tableframe">
            <div class="sideways">
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
        </div>
        <div class="pager">
            <div>{pager::place(shown, total, first.is_none())}</div>
            <div>{first}{next}</div>
        </div>
    }
    .erase()
}
