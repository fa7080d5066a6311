//! The server's doors of composing: each decodes, calls one use case, and answers with the page's markup.

use leptos::prelude::*;
use model::Submitted;

use super::draft::{Confirmed, Draft};
use crate::{answer::Answer, refusal::Refusal};

/// The form to choose in, for the query string of the page.
#[server(name = ReadChoose, prefix = "/api/page", endpoint = "compose")]
pub async fn choose(search: String) -> Answer {
    use super::form::ComposeForm;
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    let draft = Draft::read(&search);
    let selection = server::answer(draft.selection())?;
    let selected = server::answer(caseload.selection(&actor, selection, &[]).await)?;
    Ok(Raw::of(server::html("stack", view! { <ComposeForm draft search selected/> })))
}

/// What an action would do, for the query string of the page.
#[server(name = ReadPreview, prefix = "/api/page", endpoint = "preview")]
pub async fn preview(search: String) -> Answer {
    use super::check::Checked;
    use crate::{answer::Raw, server, url};
    use model::Target;
    let (caseload, actor) = server::caller()?;
    let draft = Draft::read(&search);
    let (action, selection) = (server::answer(draft.action())?, server::answer(draft.selection())?);
    let preview = server::answer(caseload.preview(&actor, action, Target::Selection(selection)).await)?;
    let refusal = url::refusal(&search);
    Ok(Raw::of(server::html("stack", view! { <Checked draft preview refusal/> })))
}

/// The people behind one of a preview's numbers, for the query string of the page.
#[server(name = ReadPreviewPeople, prefix = "/api/page", endpoint = "preview-people")]
pub async fn preview_people(search: String) -> Answer {
    use super::shown::Shown;
    use crate::{answer::Raw, server, url};
    let (caseload, actor) = server::caller()?;
    let preview = url::value(&search, "preview").unwrap_or_default();
    let token = server::id(&preview, "preview")?;
    let which = url::value(&search, "show").filter(|which| which != super::EVERYBODY);
    let after = url::value(&search, "after");
    let people = server::answer(caseload.preview_people(&actor, token, which.as_deref(), after.as_deref()).await)?;
    let draft = Draft::read(&search);
    Ok(Raw::of(server::html("stack", view! { <Shown draft search people/> })))
}

/// Submits a program status change, and goes on to its task.
#[server(name = SubmitProgramStatus, prefix = "/api/page", endpoint = "submit-program-status")]
pub async fn submit_program_status(
    #[server(flatten)] draft: Draft,
    #[server(flatten)] confirmed: Confirmed,
) -> Result<Submitted, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let draft = draft.tidy();
    let submitted = match draft.submission(&confirmed) {
        Ok(submission) => server::answer(caseload.submit(&actor, submission).await),
        Err(problem) => server::answer(Err(problem)),
    }
    .map_err(|refusal| refusal.keeping(&draft.pairs()))?;
    leptos_axum::redirect(&format!("/tasks/{}", submitted.id));
    Ok(submitted)
}
