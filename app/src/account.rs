//! What the frame around every page knows of the signed-in member of staff.

use leptos::prelude::*;

use crate::refusal::Refusal;

/// Takes note that the caller has seen what ended until now, and goes back to where they are.
#[server(name = ReadNotices, prefix = "/api/page", endpoint = "read-notices")]
pub async fn read_notices() -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer(caseload.accounts().read_notices(&actor).await)?;
    Ok(())
}

/// How many of one's own tasks are running.
#[server(name = ReadRunning, prefix = "/api/page", endpoint = "running")]
pub async fn running() -> Result<u64, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.tasks().running_count(&actor).await)
}
