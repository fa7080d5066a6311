//! The server's doors of the tasks pages: each decodes, calls one use case, and answers.

use leptos::prelude::*;

use crate::{answer::Answer, refusal::Refusal};

/// One page of tasks, for the query string of the page.
#[server(name = ReadTasks, prefix = "/api/page", endpoint = "tasks")]
pub async fn tasks(#[server(default)] query: String) -> Answer {
    use super::address;
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let query = server::answer(address::query(&query))?;
    server::answer(caseload.tasks(&actor, &query).await).map(Raw::of)
}

/// Lets a failed task go on with what is not done.
#[server(name = RetryTask, prefix = "/api/page", endpoint = "retry-task")]
pub async fn retry_task(id: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    server::answer(caseload.retry(&actor, id).await)
}

/// Gives a task up for good, and goes to its page.
#[server(name = CancelTask, prefix = "/api/page", endpoint = "cancel-task")]
pub async fn cancel_task(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
    server::answer(caseload.abandon(&actor, id, reason).await)?;
    server::send_form_to(&format!("/tasks/{id}"));
    Ok(())
}
