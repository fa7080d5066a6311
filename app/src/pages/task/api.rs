//! The server's doors of a task's page: each decodes, calls one use case, and answers.

use leptos::prelude::*;

use crate::answer::Answer;

/// A task: a [`super::Found`].
#[server(name = ReadTask, prefix = "/api/page", endpoint = "task")]
pub async fn task(id: String) -> Answer {
    use super::{Found, details::Aside};
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let task = server::answer(caseload.task(&actor, id).await)?;
    let row = task.row.clone();
    Ok(Raw::of(Found { row, aside: server::html("stack", view! { <Aside task/> }) }))
}

/// One page of a task's ledger, for the query string of the page, as markup.
#[server(name = ReadLedger, prefix = "/api/page", endpoint = "ledger")]
pub async fn ledger(id: String, #[server(default)] search: String) -> Answer {
    use super::{address, lines::Lines};
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let query = server::answer(address::query(&search))?;
    let page = server::answer(caseload.ledger(&actor, id, &query).await)?;
    let path = format!("/tasks/{id}");
    Ok(Raw::of(server::html("stack tight", view! { <Lines page path search/> })))
}
