//! The list of tasks: rows stay where they are while the page is alive, and new ones wait until they are asked for.

use crate::components::type_erasure::Erase;
use leptos::{prelude::*, server_fn::ServerFn};
use model::{Page, TaskRow, task::TaskScope};

use super::{api::RetryTask, page_address, row};
use crate::{
    components::{tip::Tip, values::pager},
    help::hint::Hint,
    url,
};

/// The table with its pager. Its buttons belong to one form, which works without scripts.
pub fn list(page: Page<TaskRow>, search: &str) -> AnyView {
    let Page { items, next, total } = page;
    let whose = page_address::scope(search) == TaskScope::All;
    let shown = items.len();
    let lines = items.iter().map(|row| row::line(row, whose)).collect_view();
    let first = (!url::begins(search)).then(|| {
        view! { <a class="button" href=url::join("/tasks", &url::from_first(search))>"First page"</a> }
    });
    let next = next.map(|next| {
        view! { <a class="button" href=url::join("/tasks", &url::following(search, &next))>"Next"</a> }
    });
    view! {
        <div class="tableframe">
            <div class="sideways">
                <table class="table cards tall wide">
                    <caption class="hidden">"Tasks, newest first"</caption>
                    <thead>
                        <tr>
                            <th scope="col" abbr="State"><span class="line nowrap">"State"<Tip on=Hint::State/></span></th>
                            <th scope="col">"Action"</th>
                            <th scope="col" class="num">"People"</th>
                            <th scope="col">"Outcome"</th>
                            <th scope="col">"Submitted"</th>
                            <th scope="col" class="num took">"Took"</th>
                            <th scope="col" class="menu-cell"><span class="hidden">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
            <form id="task-actions" method="post" action=RetryTask::url()></form>
        </div>
        <div class="pager">
            <div>{pager::place(shown, total, first.is_none())}</div>
            <div>{first}{next}</div>
        </div>
    }
    .erase()
}
