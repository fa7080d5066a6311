//! The server's doors of a task's page: each decodes, calls one use case, and answers.

use leptos::prelude::*;
use model::{LedgerRow, Page, TaskDetail};

use crate::refusal::Refusal;

/// A task.
#[server(name = ReadTask, prefix = "/api/page", endpoint = "task")]
pub async fn task(id: String) -> Result<TaskDetail, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    server::answer(caseload.task(&actor, id).await)
}

/// One page of a task's ledger, for the query string of the page.
#[server(name = ReadLedger, prefix = "/api/page", endpoint = "ledger")]
pub async fn ledger(id: String, #[server(default)] query: String) -> Result<Page<LedgerRow>, Refusal> {
    use crate::{pages::task::address, server};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let query = server::answer(address::query(&query))?;
    server::answer(caseload.ledger(&actor, id, &query).await)
}
