//! The facts beside one task: where it runs, what it is, and what it belongs to.

use leptos::prelude::*;
use model::{Sending, TaskRow, TaskState, admin::AdminTask};

use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{
            numbers::grouped,
            outcome_bar::{segments, word},
            time::{RenderedAt, Time, iso, span},
        },
    },
    pages::admin::words,
};

/// How many came out how; each number leads to them.
pub fn outcomes(row: &TaskRow) -> AnyView {
    let parts = segments(row).into_iter().filter(|(_, n)| *n > 0).enumerate().map(|(place, (outcome, n))| {
        let comma = (place > 0).then_some(", ");
        let words = format!("{} {}", grouped(n), word(row, outcome));
        let part = match row.description().has_ledger() && outcome != "listed" {
            true => {
                view! { <a href=format!("/tasks/{}?outcome={}", row.id, outcome.to_uppercase())>{words}</a> }.erase()
            }
            false => words.erase(),
        };
        view! { {comma}{part} }
    });
    parts.collect_view().erase()
}

/// How long an email is still held; a script counts down.
pub fn hold(task: &AdminTask) -> Option<AnyView> {
    let row = &task.task.row;
    if row.state != TaskState::Held {
        return None;
    }
    let fails = task.standing.iter().any(|check| check.code == "no_mail");
    let (says, over) = if fails { Sending::NotSetUp } else { Sending::Ready }.countdown();
    // It goes on after the other facts.
    let (says, over) = (says.to_lowercase(), over.to_lowercase());
    let now = use_context::<RenderedAt>().map_or(row.created_date, |rendered| rendered.now);
    let left = (row.trigger_date - now).num_milliseconds().max(0).unsigned_abs().div_ceil(1_000);
    let until = iso(row.trigger_date);
    let words = format!("{says} {}", span(left));
    Some(view! { <span data-until=until data-says=says data-ended=over>{words}</span> }.erase())
}

/// Which process has it, and until when it may be silent; once it stands still, which one had it last.
pub fn place(task: &AdminTask) -> Option<AnyView> {
    let lease = &task.lease;
    if lease.holder.is_none() {
        let last = lease.last_holder.clone()?;
        return Some(
            view! {
                <section aria-labelledby="h-place" class="panel">
                    <h2 id="h-place">"Where it ran"</h2>
                    <dl class="defs"><dt>"Last process"</dt><dd class="id">{last}</dd></dl>
                </section>
            }
            .erase(),
        );
    }
    Some(running(task))
}

fn running(task: &AdminTask) -> AnyView {
    let lease = &task.lease;
    let holder = match &lease.holder {
        Some(id) => {
            let beat = lease.heartbeat_age_ms.map(|ms| format!(", last heard {} ago", words::milliseconds(ms)));
            let lives = if lease.holder_lives { "running" } else { "silent or stopped" };
            view! { <dd class="id">{id.clone()}</dd><dt>"State"</dt><dd>{format!("{lives}{}", beat.unwrap_or_default())}</dd> }
                .erase()
        }
        None => ().erase(),
    };
    let deadline = lease
        .deadline
        .map(|at| view! { <dt>"Deadline"</dt><dd><Time at exact=true/>", extended while it makes progress"</dd> });
    view! {
        <section aria-labelledby="h-place" class="panel">
            <h2 id="h-place">"Where it runs"</h2>
            <dl class="defs">
                <dt>"Process"</dt>
                {holder}
                {deadline}
            </dl>
        </section>
    }
    .erase()
}

/// What is stored, in the words of the manual: for whoever is asked to find out more.
fn support(task: &AdminTask) -> AnyView {
    let (row, lease) = (&task.task.row, &task.lease);
    let fence = match lease.holder {
        Some(_) => lease.fence.to_string(),
        None => format!("{}; the next attempt gets {}", lease.fence, lease.fence + 1),
    };
    let bookmark = serde_json::to_string_pretty(&task.execution_state).unwrap_or_default();
    view! {
        <details class="disclosure" data-support>
            <summary><Icon name="right"/>"For support"</summary>
            <dl class="defs">
                <dt>"Stored status"</dt>
                <dd class="id">{row.status.name()}</dd>
                <dt>"Stored kind"</dt>
                <dd class="id">{row.kind.clone()}</dd>
                <dt>"Fence"</dt>
                <dd>{fence}</dd>
                <dt>"Deadline"</dt>
                <dd>{format!("{} for each chunk", span(lease.deadline_seconds))}</dd>
                <dt>"Crashes"</dt>
                <dd>{format!("{} of 3", task.crashes)}</dd>
                <dt>"Cause"</dt>
                <dd class="id">{task.cause.clone().unwrap_or_else(|| "none".to_owned())}</dd>
                <dt>"Bookmark"</dt>
                <dd><pre class="trace" role="group" tabindex="0" aria-label="Bookmark">{bookmark}</pre></dd>
            </dl>
        </details>
    }
    .erase()
}

/// What it is and what it was asked for.
pub fn details(task: &AdminTask) -> AnyView {
    let row = &task.task.row;
    let run_as = (task.run_as_name != row.owner_name).then(|| {
        view! { <dt>"Runs as"</dt><dd>{task.run_as_name.clone()}</dd> }
    });
    let due =
        (!row.status.is_finished()).then(|| view! { <dt>"Due"</dt><dd><Time at=row.trigger_date exact=true/></dd> });
    let reason = row.reason.clone().map(|reason| view! { <dt>"Reason for submitting"</dt><dd>{reason}</dd> });
    let finished = row.finish_reason.clone().map(|reason| view! { <dt>"Reason for ending"</dt><dd>{reason}</dd> });
    view! {
        <section aria-labelledby="h-det">
            <div class="section"><h2 id="h-det">"Details"</h2></div>
            <dl class="defs">
                <dt>"Kind"</dt>
                <dd><a href=format!("/admin/tasks?kind={}", row.kind)>{words::kind(&row.kind)}</a></dd>
                <dt>"Owner"</dt>
                <dd>{row.owner_name.clone()}</dd>
                {run_as}
                {reason}
                {finished}
                <dt>"Priority"</dt>
                <dd>{task.priority.to_string()}</dd>
                {due}
                <dt>"Task ID"</dt>
                <dd class="id">{row.id.to_string()}</dd>
            </dl>
            {support(task)}
        </section>
    }
    .erase()
}
