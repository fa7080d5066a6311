//! What the forms of pages have in common. Each does one thing and leads to where that is seen, or back to its page, which says what
//! was wrong and has what was typed.

pub mod email;
pub mod import;

use caseload::Result;
use model::{Problem, TaskId};

use crate::{
    pages::done::{self, Done, OF},
    refusal::Refusal,
    server, url,
};

/// Leads on to an address, or back to the page of the form.
pub fn lead<E: Into<Problem>>(
    to: Result<String, E>,
    page: &str,
    typed: &[(&'static str, &str)],
) -> Result<(), Refusal> {
    let to = server::answer(to).map_err(|refusal| refusal.keeping(typed));
    match &to {
        Ok(address) => server::send_form_to(address),
        Err(refusal) => server::send_form_to(&url::with_refusal(page, refusal)),
    }
    to.map(drop)
}

/// On to a page that says what was done.
pub fn done(page: &str, what: Done) -> String {
    url::with(page, &[(done::KEY, what.name())])
}

/// The answer to a verb of administrators, which has a reason, on a task; it leads to the task that this is now.
pub fn of_task(now: Result<TaskId>, what: Done, id: TaskId, reason: &str) -> Result<(), Refusal> {
    let page = |id| format!("/admin/tasks/{id}");
    lead(now.map(|now| done(&page(now), what)), &page(id), &[("reason", reason)])
}

/// The same on what may have been so before, and stands in a list: `of` is its name there.
pub fn of_listed(
    changed: Result<bool>,
    what: Done,
    (list, of): (&str, &str),
    page: &str,
    reason: &str,
) -> Result<(), Refusal> {
    let what = |changed| if changed { what } else { Done::Unchanged };
    let to = changed.map(|changed| url::with(list, &[(done::KEY, what(changed).name()), (OF, of)]));
    lead(to, page, &[("reason", reason)])
}
