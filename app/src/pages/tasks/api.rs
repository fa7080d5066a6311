//! The server's doors of the tasks pages: each decodes, calls one use case, and answers.

use leptos::prelude::*;

use crate::refusal::Refusal;

/// Lets a failed task go on with what is not done.
#[server(name = RetryTask, prefix = "/api/page", endpoint = "retry-task")]
pub async fn retry_task(id: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let task = server::answer(caseload.tasks().retry(&actor, id, None).await)?;
    if task.id != id {
        server::lead_to(&format!("/tasks/{}", task.id));
    }
    Ok(())
}

/// Gives a task up for good, and goes to its page.
#[server(name = CancelTask, prefix = "/api/page", endpoint = "cancel-task")]
pub async fn cancel_task(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
    server::answer(caseload.tasks().abandon(&actor, id, reason).await)?;
    server::send_form_to(&format!("/tasks/{id}"));
    Ok(())
}

/// Sends a held email now, and goes to its page.
#[server(name = SendNow, prefix = "/api/page", endpoint = "send-now")]
pub async fn send_now(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let reason = Some(reason.trim()).filter(|reason| !reason.is_empty());
    server::answer(caseload.tasks().send_now(&actor, id, reason).await)?;
    server::send_form_to(&format!("/tasks/{id}"));
    Ok(())
}

/// Composes a task anew, with the same choices and people.
#[server(name = RepeatTask, prefix = "/api/page", endpoint = "repeat-task")]
pub async fn repeat_task(id: String) -> Result<(), Refusal> {
    use crate::{
        pages::new_action::{draft::KEPT, fields},
        server, url,
    };
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let (action, selection) = server::answer(caseload.tasks().repeat(&actor, id).await)?;
    let mut pairs = fields::pairs(&action);
    if let model::Action::Email(email) = &action {
        server::answer(caseload.emails().take_up(&actor, email).await)?;
        pairs.push((KEPT.0, KEPT.1.to_owned()));
    }
    pairs.push(("sel", selection.token.to_string()));
    server::send_form_to(&url::with(&format!("/actions/new/{}", action.kind()), &pairs));
    Ok(())
}

/// Writes again to those of an ended email who have an outcome, and goes to the task that does it.
#[server(name = ResendEmail, prefix = "/api/page", endpoint = "resend-email")]
pub async fn resend_email(id: String, outcome: String) -> Result<(), Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let outcome = server::answer(model::parameters::parse("outcome", &outcome, model::enum_words::Reader::Person))?;
    let task = server::answer(caseload.tasks().resend(&actor, id, outcome).await)?;
    server::send_form_to(&format!("/tasks/{}", task.id));
    Ok(())
}

/// Moves the start of a scheduled task.
#[server(name = RescheduleTask, prefix = "/api/page", endpoint = "reschedule-task")]
pub async fn reschedule_task(
    id: String,
    #[server(default)] start: String,
    #[server(default)] offset: String,
) -> Result<(), Refusal> {
    use crate::{
        pages::{done::Done, new_action::draft},
        server,
        server::forms,
    };
    use model::Problem;
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let missing = || Problem::field("start", "required", "Choose a start time.");
    let given = start.clone();
    let keeping = |refusal: Refusal| refusal.keeping(&[("start", &given)]);
    let offset = server::offset(&actor, &start, &offset);
    let start = draft::start(&start, &offset).map_err(|error| Problem::fields(vec![error]));
    let start = server::answer(start.and_then(|start| start.ok_or_else(missing))).map_err(keeping)?;
    server::answer(caseload.tasks().reschedule(&actor, id, start).await).map_err(keeping)?;
    server::send_form_to(&forms::done(&format!("/tasks/{id}"), Done::StartChanged));
    Ok(())
}
