//! Beside the people: what happened to the task, and what it was asked to do. The server renders it; nothing here runs in
//! the browser.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{Outcome, Role, TaskDetail, TaskKind, TaskRow, TaskState};

use super::problems::{Onlooker, one_cause, resend};
use crate::components::values::numbers::units;
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::time::{self, Time},
    },
    pages::{
        new_action::choose::StartField,
        task::{related, timeline},
        tasks::api::RescheduleTask,
    },
    refusal::{Refusal, wrong},
    url,
};

/// Beside the people, or beside what the task was asked to do where it is about none.
pub fn aside(task: &TaskDetail, reader: Onlooker) -> AnyView {
    let row = &task.row;
    let related = related::section("/tasks", task.parent.clone(), task.children.clone(), |kind| match kind.parse() {
        Ok(TaskKind::Undo) => "Undone by",
        _ => "Retried by",
    });
    let uncertain =
        task.can_resend.iter().find(|some| some.outcome == Outcome::Uncertain).filter(|_| reader.sending.is_ready());
    let resend = uncertain.map(|some| {
        view! {
            <section aria-labelledby="h-resend" class="stack tight">
                <div class="section"><h2 id="h-resend">"Resend"</h2></div>
                {resend(row, some, "button wide")}
                <span class="meta soft">"They may receive it twice. Ask one of them before you resend."</span>
            </section>
        }
    });
    let details = row.description().has_ledger().then(|| details(task, reader.role));
    view! {
        {resend}
        {related}
        <section aria-labelledby="h-time">
            <div class="section"><h2 id="h-time">"Timeline"</h2></div>
            {timeline::list(&task.timeline)}
        </section>
        {details}
    }
    .erase()
}

/// What the task was asked to do, but for the text of an email, which stands by itself.
pub fn details(task: &TaskDetail, role: Role) -> AnyView {
    let row = &task.row;
    let is_email = row.kind == TaskKind::Email.name();
    let facts = task
        .facts
        .iter()
        .filter(|(name, _)| !is_email || !ON_PAPER.contains(&name.as_str()))
        // What it waits for first stands in the head.
        .filter(|(_, value)| row.line.as_ref() != Some(value))
        .map(|(name, value)| view! { <dt>{name.clone()}</dt><dd class="lines">{value.clone()}</dd> })
        .collect_view();
    // The head of the page shows the beginning of a long one.
    let reason = row.reason.clone().map(|reason| view! { <dt>"Reason"</dt><dd>{reason}</dd> });
    // The name of a process means something to those who look after them.
    let process = task.process.clone().filter(|_| role == Role::Administrator);
    let process = process.map(|process| view! { <dt>"Running on"</dt><dd class="id">{process}</dd> });
    let attempt = match (row.attempt, row.failures) {
        (0, _) if row.status.is_finished() => "none".to_owned(),
        (0, _) => "none yet".to_owned(),
        (n, 0) => n.to_string(),
        (n, failures) => format!("{n}, after {failures} of at most {} failures", row.max_failures),
    };
    let kept = task.kept_until.filter(|_| row.description().has_ledger()).map(|at| {
        view! { <dt>"Results"</dt><dd>"kept until "<Time at date=true/></dd> }
    });
    let file = task.file.as_ref().filter(|_| role == Role::Administrator);
    let sum = file.map(|file| view! { <dt>"SHA-256"</dt><dd class="id">{file.sha256.clone()}</dd> });
    view! {
        <section aria-labelledby="h-det">
            <div class="section"><h2 id="h-det">"Details"</h2></div>
            <dl class="defs">
                {facts}
                {reason}
                {process}
                {kept}
                {sum}
                <dt>"Attempt"</dt>
                <dd>{attempt}</dd>
                <dt>"Task ID"</dt>
                <dd class="id">{row.id.to_string()}</dd>
            </dl>
        </section>
    }
    .erase()
}

/// What stands on the paper of an email.
const ON_PAPER: [&str; 2] = ["Subject", "Message"];

/// Why people were skipped or failed, but for what is told already, before the list of them; each reason leads to its people.
pub fn reasons(task: &TaskDetail) -> Option<AnyView> {
    let (told, kind) = (one_cause(task), task.row.description());
    let reasons: Vec<_> = task.reasons.iter().filter(|why| Some(*why) != told).collect();
    let line = |outcome: Outcome| {
        let mut found = reasons.iter().filter(|why| why.outcome == outcome).peekable();
        found.peek()?;
        let (icon, class) = match outcome {
            Outcome::Failed => ("failed", Some("blocks")),
            _ => ("skipped", Some("passed")),
        };
        let what = if outcome == Outcome::Failed { kind.failed } else { "skipped" };
        let found = found.map(|why| {
            let query = [("outcome", why.outcome.name()), ("reason", why.reason.as_str())];
            let href = url::with(&format!("/tasks/{}", task.row.id), &query);
            let these = format!("{} {what}", units(&kind, why.count));
            view! {
                <li class=class><Icon name=icon/><div><a href=href data-noscroll>{these}</a>": "{why.label.clone()}</div></li>
            }
        });
        Some(found.collect_view())
    };
    let lines: Vec<_> = [Outcome::Skipped, Outcome::Failed].into_iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| {
        let label = format!("Why some {} were skipped or {}", kind.unit.1, kind.failed);
        view! { <section aria-label=label><ul class="blockers">{lines}</ul></section> }.erase()
    })
}

/// What is wrong with another start, said at its field.
pub fn wrong_start(refusal: Option<&Refusal>) -> Option<String> {
    wrong(refusal, "start").or_else(|| wrong(refusal, "triggerDate"))
}

/// Another time to start, of what is to start later; one that was refused stays in the field.
pub fn reschedule(row: &TaskRow, refusal: Option<&Refusal>) -> Option<AnyView> {
    (row.state == TaskState::Scheduled && row.can_abandon).then_some(())?;
    let problem = wrong_start(refusal);
    let typed = refusal.filter(|_| problem.is_some()).and_then(|refusal| refusal.given("start"));
    let start = typed.unwrap_or_else(|| time::in_field(row.trigger_date).unwrap_or_default());
    Some(
        view! {
            <form class="fields" method="post" action=RescheduleTask::url() aria-label="Change start time">
                <input type="hidden" name="id" value=row.id.to_string()/>
                <StartField start offset=String::new() problem optional=false/>
                <button class="button">"Change start time"</button>
            </form>
        }
        .erase(),
    )
}
