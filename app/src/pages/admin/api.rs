//! The server's doors of the pages of administrators. Each takes a reason, which goes into the audit.

use leptos::prelude::*;

use crate::refusal::Refusal;

/// Lets anybody's task go on with what is not done.
#[server(name = RetryAnyTask, prefix = "/api/page", endpoint = "admin/tasks/retry")]
pub async fn retry_any_task(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let now = caseload.admin().retry_any(&actor, id, &reason).await;
    forms::of_task(now, Done::Retried, id, &reason)
}

/// Gives anybody's task up for good.
#[server(name = CloseAnyTask, prefix = "/api/page", endpoint = "admin/tasks/abandon")]
pub async fn close_any_task(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let closed = caseload.admin().abandon_any(&actor, id, &reason).await;
    forms::of_task(closed.map(|()| id), Done::Closed, id, &reason)
}

/// Puts a task back into the queue that hangs in a process.
#[server(name = PutTaskBack, prefix = "/api/page", endpoint = "admin/tasks/put-back")]
pub async fn put_task_back(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "task")?;
    let put_back = caseload.admin().put_back(&actor, id, &reason).await;
    forms::of_task(put_back.map(|()| id), Done::PutBack, id, &reason)
}

/// A verb on the tasks that its check showed. `asked` is the query string of the check, `then` the one of the list to go on to.
#[server(name = ApplyToTasks, prefix = "/api/page", endpoint = "admin/tasks/apply")]
pub async fn apply_to_tasks(
    #[server(default)] verb: String,
    #[server(default)] preview: String,
    #[server(default)] everything: String,
    #[server(default)] reason: String,
    #[server(default)] asked: String,
    #[server(default)] then: String,
) -> Result<(), Refusal> {
    use crate::pages::done::{self, Done};
    use crate::{server, server::forms, url};
    use model::{Problem, admin::BulkVerb, admin::Confirmed, enum_words::Reader, parameters};
    let (caseload, actor) = server::caller()?;
    let applied = async {
        let unknown = |_| Problem::field("previewToken", "invalid", "The form was incomplete. Go back and try again.");
        let preview_token = preview.parse().map_err(unknown)?;
        let verb: BulkVerb = parameters::parse("verb", &verb, Reader::Person)?;
        let confirmed = Confirmed { preview_token, everything: everything == "yes" };
        let done = caseload.admin().apply_bulk(&actor, verb, &confirmed, &reason).await?;
        let said = [
            (done::KEY, Done::from(verb).name().to_owned()),
            ("n", done.changed.to_string()),
            ("left", done.left.to_string()),
        ];
        let said = said.map(|(name, value)| (name.to_owned(), value));
        Ok::<_, caseload::Error>(url::with("/admin/tasks", &[url::pairs(&then), said.into()].concat()))
    };
    let page = url::with("/admin/tasks/check", &url::pairs(&asked));
    forms::lead(applied.await, &page, &[("reason", &reason)])
}

/// Starts no task of a kind from now on.
#[server(name = PauseKind, prefix = "/api/page", endpoint = "admin/kinds/pause")]
pub async fn pause_kind(kind: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let paused = caseload.admin().pause_kind(&actor, &kind, &reason).await;
    forms::of_listed(paused, Done::Paused, ("/admin/processes", &kind), &url::below("/admin/kinds", &kind), &reason)
}

/// Starts tasks of a kind again.
#[server(name = ResumeKind, prefix = "/api/page", endpoint = "admin/kinds/resume")]
pub async fn resume_kind(kind: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let resumed = caseload.admin().resume_kind(&actor, &kind, &reason).await;
    forms::of_listed(resumed, Done::Resumed, ("/admin/processes", &kind), &url::below("/admin/kinds", &kind), &reason)
}

/// Releases a lock, if it is still the one that was shown: `taken` is when it was taken, RFC 3339.
#[server(name = ReleaseLock, prefix = "/api/page", endpoint = "admin/locks/release")]
pub async fn release_lock(
    #[server(default)] name: String,
    #[server(default)] taken: String,
    #[server(default)] reason: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let released = async {
        let taken = model::admin::instant("taken", &taken, false)?;
        let was_held = caseload.admin().release_lock(&actor, &name, Some(taken), &reason).await?;
        let what = if was_held { Done::LockReleased } else { Done::LockNotHeld };
        Ok::<_, caseload::Error>(forms::done("/admin/locks", what))
    };
    let page = url::with("/admin/locks/release", &[("name", &name)]);
    forms::lead(released.await, &page, &[("reason", &reason)])
}

/// Runs what runs by the calendar within seconds.
#[server(name = RunSchedule, prefix = "/api/page", endpoint = "admin/schedules/run")]
pub async fn run_schedule(name: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let soon = caseload.admin().run_schedule(&actor, &name, &reason).await;
    forms::of_listed(soon, Done::RunsSoon, ("/admin/schedules", &name), &url::below("/admin/schedules", &name), &reason)
}

/// Runs it no more.
#[server(name = PauseSchedule, prefix = "/api/page", endpoint = "admin/schedules/pause")]
pub async fn pause_schedule(name: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let paused = caseload.admin().pause_schedule(&actor, &name, true, &reason).await;
    forms::of_listed(paused, Done::Paused, ("/admin/schedules", &name), &url::below("/admin/schedules", &name), &reason)
}

/// Runs it again.
#[server(name = ResumeSchedule, prefix = "/api/page", endpoint = "admin/schedules/resume")]
pub async fn resume_schedule(name: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let resumed = caseload.admin().pause_schedule(&actor, &name, false, &reason).await;
    forms::of_listed(
        resumed,
        Done::Resumed,
        ("/admin/schedules", &name),
        &url::below("/admin/schedules", &name),
        &reason,
    )
}

/// Ends an account's sessions and tokens, and lets nobody in by it.
#[server(name = DisableAccount, prefix = "/api/page", endpoint = "admin/users/disable")]
pub async fn disable_account(id: String, #[server(default)] reason: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "account")?;
    let (disabled, page) = (caseload.users().disable(&actor, id, &reason).await, format!("/admin/users/{id}"));
    forms::lead(
        disabled.map(|()| forms::done(&page, Done::AccountDisabled)),
        &page,
        &[("reason", &reason), ("form", "disable")],
    )
}

/// Gives what stands still of somebody whose account is disabled to somebody else.
#[server(name = HandOverTasks, prefix = "/api/page", endpoint = "admin/users/hand-over")]
pub async fn hand_over_tasks(
    id: String,
    #[server(default)] to: String,
    #[server(default)] reason: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "account")?;
    let handed = caseload.users().hand_over_tasks(&actor, id, &to, &reason).await;
    let page = format!("/admin/users/{id}");
    let typed = [("reason", reason.as_str()), ("to", &to), ("form", "left")];
    forms::lead(handed.map(|_| forms::done(&page, Done::TasksHandedOver)), &page, &typed)
}

/// Closes it.
#[server(name = CloseLeftTasks, prefix = "/api/page", endpoint = "admin/users/close-tasks")]
pub async fn close_left_tasks(
    id: String,
    #[server(default)] to: String,
    #[server(default)] reason: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "account")?;
    let closed = caseload.users().close_left_tasks(&actor, id, &reason).await;
    let page = format!("/admin/users/{id}");
    let typed = [("reason", reason.as_str()), ("to", &to), ("form", "left")];
    forms::lead(closed.map(|_| forms::done(&page, Done::LeftTasksClosed)), &page, &typed)
}

/// Locks the programs out that use a token of somebody's.
#[server(name = RevokeTokenOf, prefix = "/api/page", endpoint = "admin/users/revoke")]
pub async fn revoke_token_of(
    id: String,
    #[server(default)] token: String,
    #[server(default)] reason: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let (id, page) = (server::id(&id, "account")?, format!("/admin/users/{id}"));
    let revoked = async {
        let token = token.parse().map_err(|_| model::Problem::not_found("token"))?;
        caseload.users().revoke_token_of(&actor, id, token, &reason).await
    };
    let to = revoked.await.map(|()| forms::done(&page, Done::TokenRevoked));
    forms::lead(to, &page, &[("reason", &reason), ("form", "tokens")])
}
