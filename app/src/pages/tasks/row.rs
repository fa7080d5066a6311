//! One task in the list. A newer row is written over the older one where it stands.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::about;
use leptos::{prelude::*, server_fn::ServerFn};
use model::{TaskRow, TaskState};

use super::{api::RetryTask, words::took};
use crate::{
    components::{
        icon::Icon,
        values::{
            badge::task_badge,
            outcome_bar::{OutcomeBar, counts},
            time::Time,
        },
    },
    pages::task::cancel::DIALOG,
};

/// So many characters of a title are four lines of the list at most.
const LONG_TITLE: usize = 90;

/// The row; among those of all staff it says `whose` it is.
pub fn line(row: &TaskRow, whose: bool) -> AnyView {
    let (id, status, title) = (row.id.to_string(), row.status.name(), row.title.clone());
    let line = row.line.clone().map(|line| view! { <span class="sub clamp">{line}</span> });
    // An email's subject may be long: the whole of it is in the title, and on the task's page.
    let is_long = title.chars().count() > LONG_TITLE;
    let named = view! {
        <a href=format!("/tasks/{id}") class=is_long.then_some("clamp long") title=is_long.then(|| title.clone())>{title.clone()}</a>
    };
    let owner = whose.then(|| view! { <span class="sub">"by " {row.owner_name.clone()}</span> });
    let reason = row.reason.clone();
    let reason = reason.map(|reason| view! { <span class="sub clamp" title=reason.clone()>{reason.clone()}</span> });
    let (one, several) = row.description().unit;
    let is_short = several == "people";
    let total = about(row).map(|total| match total.strip_suffix(several).or(total.strip_suffix(one)) {
        Some(number) if is_short => number.trim_end().to_owned(),
        _ => total,
    });
    let took = Some(took(row)).filter(|took| !took.is_empty());
    let words = match row.state {
        TaskState::Unapproved | TaskState::Scheduled | TaskState::Held | TaskState::Waiting if row.treated() == 0 => {
            "Not started".to_owned()
        }
        // Nothing was done, and what that means for the action is said by its own words.
        _ if row.status.is_finished() && row.treated() == 0 && row.description().has_people() => {
            row.summary.clone().unwrap_or_else(|| counts(row))
        }
        // Where all went well, and where it was put back, the numbers say less.
        _ if row.label.ends_with("ndone") || is_done_for_all(row) => row.summary.clone().unwrap_or_else(|| counts(row)),
        _ => counts(row),
    };
    let label = if row.status.is_finished() { String::new() } else { title.clone() };
    let bar = row.total.is_some().then(|| view! { <OutcomeBar row=row.clone() label/> });
    view! {
        <tr data-key=id.clone() id=format!("t-{id}") data-task-id=id.clone() data-task-status=status>
            <td class="first">
                <div>
                    <span class="line">{task_badge(row)}</span>
                    {line}
                </div>
            </td>
            <th scope="row">{named}{owner}{reason}</th>
            <td class="brief num" data-suffix=is_short.then_some(if row.people().max(row.total) == Some(1) { one } else { several })>
                {total}
            </td>
            <td class="first"><div class="outcome">{bar}<span>{words}</span></div></td>
            <td class="brief nowrap" data-prefix="submitted"><Time at=row.created_date/></td>
            <td class="brief num soft took" data-prefix="took">{took}</td>
            <td class="menu-cell">{verbs(row)}</td>
        </tr>
    }
    .erase()
}

fn is_done_for_all(row: &TaskRow) -> bool {
    row.state == TaskState::Done && row.succeeded > 0 && row.total == Some(row.succeeded)
}

fn verbs(row: &TaskRow) -> AnyView {
    if !row.can_retry && !row.can_abandon {
        return ().erase();
    }
    let id = row.id.to_string();
    let retry = row.can_retry.then(|| {
        let (id, action) = (id.clone(), RetryTask::url());
        view! { <button form="task-actions" name="id" value=id formaction=action>"Retry"</button> }
    });
    let cancel = row.can_abandon.then(|| view! { <a href=format!("/tasks/{id}?{DIALOG}=1")>"Cancel…"</a> });
    view! {
        <details class="menu">
            <summary class="button quiet small" aria-label=format!("Actions for {}", row.title)><Icon name="dots"/></summary>
            <div class="panel">
                <a href=format!("/tasks/{id}")>"Open"</a>
                {retry}
                {cancel}
            </div>
        </details>
    }
    .erase()
}
