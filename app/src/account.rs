//! What the frame around every page knows of the signed-in member of staff.

use leptos::prelude::*;

use crate::refusal::Refusal;

/// How many of one's own tasks are running.
#[server(name = ReadRunning, prefix = "/api/page", endpoint = "running")]
pub async fn running() -> Result<u64, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.tasks().running_count(&actor).await)
}
