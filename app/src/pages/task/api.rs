//! The server's doors of a task's page: each decodes, calls one use case, and answers.

use leptos::prelude::*;

use crate::answer::Answer;

/// A task: a [`super::FoundTask`].
#[server(name = ReadTask, prefix = "/api/page", endpoint = "task")]
pub async fn task(id: String) -> Answer {
    use super::{FoundTask, details::Aside};
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let task = server::answer(caseload.tasks().get(&actor, id).await)?;
    let row = task.row.clone();
    Ok(Raw::of(FoundTask { row, aside: server::html("stack", view! { <Aside task role=actor.role/> }) }))
}

/// One page of a task's ledger, for the query string of the page, as markup. While the task runs, the list of everybody
/// is that of the people it treated last, latest first: it treats them in the order of the ledger.
#[server(name = ReadLedger, prefix = "/api/page", endpoint = "ledger")]
pub async fn ledger(id: String, #[server(default)] search: String) -> Answer {
    use super::{
        ledger_lines::{self, LinePart, Lines},
        page_address,
    };
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let mut query = server::answer(page_address::query(&search))?;
    let row = server::answer(caseload.tasks().row(&actor, id).await)?;
    let part = LinePart::of(&row, &query);
    if let LinePart::SoFar(treated) = part {
        query.limit = Some(ledger_lines::LATEST);
        query.after = Some(model::Cursor::after(treated.saturating_sub(ledger_lines::LATEST.into())));
    }
    let mut page = server::answer(caseload.tasks().ledger(&actor, id, &query).await)?;
    if let LinePart::SoFar(_) = part {
        page.items.retain(|line| line.outcome.is_some());
        page.items.reverse();
        page.next = None;
    }
    let path = format!("/tasks/{id}");
    Ok(Raw::of(server::html("stack tight", view! { <Lines page part path search/> })))
}
