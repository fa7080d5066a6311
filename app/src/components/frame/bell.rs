//! The bell: which tasks of the reader's have ended, and which of them since they last looked. The server renders it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{Instant, TaskRow, approval::Approval};

use crate::{
    account::ReadNotices,
    components::{icon::Icon, type_erasure::Erase, values::time::Time},
};

/// What waits for the reader's decision, and the tasks that ended last, newest first; those after `read` are new.
pub fn bell(waiting: &[Approval], mut ended: Vec<TaskRow>, read: Option<Instant>) -> AnyView {
    ended.sort_by_key(|row| std::cmp::Reverse(row.stopped_date));
    let is_new = |row: &TaskRow| row.stopped_date.is_some_and(|at| read.is_none_or(|read| at > read));
    let is_asked = |approval: &Approval| read.is_none_or(|read| approval.asked_date > read);
    let new = ended.iter().filter(|row| is_new(row)).count() + waiting.iter().filter(|one| is_asked(one)).count();
    let asked = (!waiting.is_empty()).then(|| {
        let lines = waiting.iter().map(|approval| asked_line(is_asked(approval), approval)).collect_view();
        view! { <div class="section"><h2>"Waiting for your approval"</h2></div><ul>{lines}</ul> }
    });
    let number = (new > 0).then(|| {
        view! { <span class="new">{new.to_string()}</span><span class="hidden">" new"</span> }
    });
    let all_read = (new > 0).then(|| {
        view! {
            <form method="post" action=ReadNotices::url()>
                <button class="textbutton">"Mark all as read"</button>
            </form>
        }
    });
    let lines = match ended.is_empty() {
        true => view! { <p>"Your tasks are listed here when they end."</p> }.erase(),
        false => {
            let lines = ended.into_iter().map(|row| line(is_new(&row), row)).collect_view();
            view! { <ul>{lines}</ul> }.erase()
        }
    };
    view! {
        <details class="menu bell" id="bell">
            <summary class="button quiet small">
                <Icon name="bell"/>
                <span class="hidden">"Ended tasks"</span>
                {number}
            </summary>
            <div class="panel notices">
                {asked}
                <div class="section"><h2>"Ended tasks"</h2>{all_read}</div>
                {lines}
                <a class="button quiet small" href="/tasks">"My tasks"</a>
            </div>
        </details>
    }
    .erase()
}

fn asked_line(is_new: bool, approval: &Approval) -> AnyView {
    let mark = is_new.then(|| view! { <span class="hidden">", new"</span> });
    view! {
        <li data-new=is_new data-key=format!("asked-{}", approval.id)>
            <a href=format!("/approvals/{}", approval.id)>{format!("{} asks for your approval", approval.asked_by_name)}</a>
            {mark}
            <small>{approval.title.clone()}" · "<Time at=approval.asked_date/></small>
        </li>
    }
    .erase()
}

fn line(is_new: bool, row: TaskRow) -> AnyView {
    let mark = is_new.then(|| view! { <span class="hidden">", new"</span> });
    view! {
        <li data-new=is_new data-key=row.id.to_string()>
            <a href=format!("/tasks/{}", row.id)>{row.title}</a>
            {mark}
            <small>{row.label}{row.stopped_date.map(|at| view! { " · "<Time at/> })}</small>
        </li>
    }
    .erase()
}
