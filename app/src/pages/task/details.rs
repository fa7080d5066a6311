//! Beside the people: what happened to the task, and what it was asked to do. The server renders it; nothing here runs in
//! the browser.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Outcome, Role, TaskDetail, TaskKind, TaskState,
    task::{ExportFile, OutcomeCount, ReasonCount},
};

use crate::components::values::numbers::grouped;
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::time::{RenderedAt, Time},
    },
    pages::{
        new_action::choose::StartField,
        task::{related, timeline},
        tasks::api::{RescheduleTask, ResendEmail},
    },
    url,
};

/// The column.
#[component]
pub fn Aside(task: TaskDetail, role: Role) -> impl IntoView {
    let row = task.row;
    let facts = task
        .facts
        .into_iter()
        .map(|(name, value)| view! { <dt>{name}</dt><dd class="lines">{value}</dd> })
        .collect_view();
    // The head of the page shows the beginning of a long one.
    let reason = row.reason.clone().map(|reason| view! { <dt>"Reason"</dt><dd>{reason}</dd> });
    let from = task.filter_query.map(|query| {
        view! {
            <dt>"Filter"</dt>
            <dd><a href=format!("/people?{query}")>"People who match today"</a></dd>
        }
    });
    // The name of a process means something to those who look after them.
    let process = task.process.filter(|_| role == Role::Administrator);
    let process = process.map(|process| view! { <dt>"Running on"</dt><dd class="id">{process}</dd> });
    let attempt = match (row.attempt, row.failures) {
        (0, _) => "none yet".to_owned(),
        (n, 0) => n.to_string(),
        (n, failures) => format!("{n}, after {failures} of at most {} failures", row.max_failures),
    };
    let related = related::section("/tasks", task.parent, task.children, |kind| match kind.parse() {
        Ok(TaskKind::Undo) => "Undone by",
        _ => "Retried by",
    });
    let reasons = reasons(&row.id.to_string(), task.reasons);
    let kept = task.kept_until.filter(|_| row.description().has_ledger()).map(|at| {
        view! { <dt>"Results"</dt><dd>"kept until "<Time at date=true/></dd> }
    });
    let resend = resend(&row.id.to_string(), &task.can_resend);
    let file = task.file.map(|file| file_panel(&row.id.to_string(), file));
    let moves = (row.state == TaskState::Scheduled && row.can_abandon).then(|| reschedule(&row.id.to_string()));
    view! {
        {file}
        {moves}
        {resend}
        {reasons}
        {related}
        <section aria-labelledby="h-time">
            <div class="section"><h2 id="h-time">"Timeline"</h2></div>
            {timeline::list(&task.timeline)}
        </section>
        <section aria-labelledby="h-det">
            <div class="section"><h2 id="h-det">"Details"</h2></div>
            <dl class="defs">
                {from}
                {facts}
                {reason}
                {process}
                {kept}
                <dt>"Attempt"</dt>
                <dd>{attempt}</dd>
                <dt>"Task ID"</dt>
                <dd class="id">{row.id.to_string()}</dd>
            </dl>
        </section>
    }
}

/// Writing again to those who got nothing, or of whom that is uncertain.
fn resend(id: &str, outcomes: &[OutcomeCount]) -> Option<AnyView> {
    if outcomes.is_empty() {
        return None;
    }
    let forms = outcomes
        .iter()
        .map(|OutcomeCount { outcome, count }| {
            let (words, hint) = match outcome {
                Outcome::Uncertain => {
                    ("uncertain", "They may receive it twice. Ask one of them before you resend.".to_owned())
                }
                _ if *count == 1 => ("failed", "This person did not receive it.".to_owned()),
                _ => ("failed", format!("These {} people did not receive it.", grouped(*count))),
            };
            view! {
                <form class="stack tight" method="post" action=ResendEmail::url()>
                    <input type="hidden" name="id" value=id.to_owned()/>
                    <input type="hidden" name="outcome" value=outcome.name()/>
                    <button class="button wide">{format!("Resend to the {} {words}", grouped(*count))}</button>
                    <span class="meta soft">{hint}</span>
                </form>
            }
        })
        .collect_view();
    Some(
        view! {
            <section aria-labelledby="h-resend" class="stack tight">
                <div class="section"><h2 id="h-resend">"Resend"</h2></div>
                {forms}
            </section>
        }
        .erase(),
    )
}

/// Why people were skipped or failed; each line leads to them.
fn reasons(id: &str, reasons: Vec<ReasonCount>) -> Option<AnyView> {
    if reasons.is_empty() {
        return None;
    }
    let lines = reasons.into_iter().map(|why| {
        let query = [("outcome", why.outcome.name()), ("reason", why.reason.as_str())];
        let href = url::with(&format!("/tasks/{id}"), &query);
        let what = format!("{}: {}", why.outcome.label().to_lowercase(), why.label);
        view! { <dt class="num">{grouped(why.count)}</dt><dd><a href=href data-noscroll>{what}</a></dd> }
    });
    Some(
        view! {
            <section aria-labelledby="h-why">
                <div class="section"><h2 id="h-why">"Why some people were skipped or failed"</h2></div>
                <dl class="defs counted">{lines.collect_view()}</dl>
            </section>
        }
        .erase(),
    )
}

/// The file of an export.
fn file_panel(id: &str, file: ExportFile) -> AnyView {
    if use_context::<RenderedAt>().is_some_and(|rendered| file.expiry_date <= rendered.now) {
        return view! {
            <section class="panel sunken stack tight" aria-labelledby="h-file">
                <h2 id="h-file">"The file is gone"</h2>
                <p class="soft">
                    "It expired, or was deleted because a person in it was erased. Repeat the export to get a new file."
                </p>
            </section>
        }
        .erase();
    }
    let size = match file.size {
        bytes @ ..1_000_000 => format!("{} kB", grouped(bytes.div_ceil(1_000))),
        bytes => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    };
    view! {
        <section class="panel sunken stack tight" aria-labelledby="h-file">
            <h2 id="h-file">"The file"</h2>
            <a class="button primary wide" href=format!("/files/{id}") rel="external" download>
                <Icon name="export"/>
                {format!("Download {} ({size})", file.format.label())}
            </a>
            <dl class="defs">
                <dt>"People"</dt>
                <dd>{grouped(file.rows)}</dd>
                <dt>"Kept until"</dt>
                <dd><Time at=file.expiry_date exact=true/></dd>
                <dt>"SHA-256"</dt>
                <dd class="id">{file.sha256}</dd>
            </dl>
        </section>
    }
    .erase()
}

/// Another time to start.
fn reschedule(id: &str) -> AnyView {
    view! {
        <section class="panel sunken" aria-labelledby="h-start">
            <h2 id="h-start">"Change start time"</h2>
            <form class="stack tight" method="post" action=RescheduleTask::url()>
                <input type="hidden" name="id" value=id.to_owned()/>
                <StartField start=String::new() offset=String::new() problem=None optional=false/>
                <button class="button">"Change start time"</button>
            </form>
        </section>
    }
    .erase()
}
