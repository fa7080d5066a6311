//! The door through which pages submit.

use leptos::prelude::*;
use model::Submitted;

use super::draft::{ConfirmForm, Draft};
use crate::refusal::Refusal;

/// Submits an action, and goes on to its task.
#[server(name = SubmitAction, prefix = "/api/page", endpoint = "submit-action")]
pub async fn submit_action(
    #[server(flatten)] draft: Draft,
    #[server(flatten)] confirmed: ConfirmForm,
) -> Result<Submitted, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let draft = draft.tidy();
    let submitted = server::submit(&caseload, &actor, &draft, &confirmed).await;
    let typed = [("confirmTotal", confirmed.confirm_total.as_str()), ("everyone", confirmed.everyone.as_str())];
    let submitted = submitted.map_err(|refusal| refusal.keeping(&draft.pairs()).keeping(&typed))?;
    server::lead_to(&format!("/tasks/{}", submitted.id));
    Ok(submitted)
}
