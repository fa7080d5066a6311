//! The doors through which pages submit, and through which an email is written.

use leptos::prelude::*;
use model::Submitted;

use super::{
    composer::Composer,
    draft::{ConfirmForm, Draft},
};
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

/// Does what was pressed in the email composer. A script has it keep the draft, and is told how the letter looks now.
#[server(name = ComposeEmail, prefix = "/api/page", endpoint = "actions/email")]
pub async fn compose_email(#[server(flatten)] form: Composer) -> Result<serde_json::Value, Refusal> {
    use crate::{server, server::forms};
    let (caseload, actor) = server::caller()?;
    if server::is_form() {
        let done = form.press(&caseload, &actor).await;
        return forms::lead(done, &form.page(&[]), &[]).map(Into::into);
    }
    let kept = server::answer(form.keep(&caseload, &actor).await)?;
    server::answer(serde_json::to_value(kept).map_err(|error| caseload::Error::Internal(error.to_string())))
}
