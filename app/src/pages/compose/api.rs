//! The server's doors of composing: each decodes, calls one use case, and answers.

use leptos::prelude::*;
use model::{Preview, Submitted, preview::PreviewPeople};

use super::draft::Draft;
use crate::refusal::Refusal;

/// What an action would do.
#[server(name = ReadPreview, prefix = "/api/page", endpoint = "preview", input = leptos::server_fn::codec::Json)]
pub async fn preview(draft: Draft) -> Result<Preview, Refusal> {
    use crate::server;
    use model::Target;
    let (caseload, actor) = server::caller()?;
    let (action, selection) = (server::answer(draft.action())?, server::answer(draft.selection())?);
    server::answer(caseload.preview(&actor, action, Target::Selection(selection)).await)
}

/// The people behind one of a preview's numbers; `which` is empty for all of them.
#[server(name = ReadPreviewPeople, prefix = "/api/page", endpoint = "preview-people")]
pub async fn preview_people(
    preview: String,
    #[server(default)] which: String,
    #[server(default)] after: String,
) -> Result<PreviewPeople, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let token = server::id(&preview, "preview")?;
    let given = |text: &str| if text.is_empty() { None } else { Some(text.to_owned()) };
    let (which, after) = (given(&which), given(&after));
    server::answer(caseload.preview_people(&actor, token, which.as_deref(), after.as_deref()).await)
}

/// Submits a program status change, and goes on to its task.
#[server(name = SubmitProgramStatus, prefix = "/api/page", endpoint = "submit-program-status")]
pub async fn submit_program_status(
    #[server(default)] sel: String,
    #[server(default)] #[server(rename = "programStatus")] program_status: String,
    #[server(default)] #[server(rename = "changeReason")] change_reason: String,
    #[server(default)] comment: String,
    #[server(default)] reason: String,
    #[server(default)] preview: String,
    #[server(default)] #[server(rename = "confirmTotal")] confirm_total: String,
    #[server(default)] everyone: String,
) -> Result<Submitted, Refusal> {
    use super::draft::Confirmed;
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let draft = Draft { sel, program_status, change_reason, comment, reason }.tidy();
    let confirmed = Confirmed { preview, total: confirm_total, everyone: !everyone.is_empty() };
    let submitted = match draft.submission(&confirmed) {
        Ok(submission) => server::answer(caseload.submit(&actor, submission).await),
        Err(problem) => server::answer(Err(problem)),
    }
    .map_err(|refusal| refusal.keeping(&draft.pairs()))?;
    leptos_axum::redirect(&format!("/tasks/{}", submitted.id));
    Ok(submitted)
}
