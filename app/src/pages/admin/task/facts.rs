//! The facts beside one task: where it runs, what it is, and what it belongs to.

use leptos::prelude::*;
use model::admin::{AdminTask, Lease};

use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::time::{Time, span},
    },
    pages::admin::words,
};

/// Which process has it, and until when it may be silent.
pub fn place(lease: &Lease) -> AnyView {
    let holder = match &lease.holder {
        Some(id) => {
            let beat = lease.heartbeat_age_ms.map(|ms| format!(", last heard {} ago", words::milliseconds(ms)));
            let lives = if lease.holder_lives { "running" } else { "silent or stopped" };
            view! { <dd class="id">{id.clone()}</dd><dt>"State"</dt><dd>{format!("{lives}{}", beat.unwrap_or_default())}</dd> }
                .erase()
        }
        None => view! { <dd>"none"</dd> }.erase(),
    };
    let last = lease.last_holder.clone().filter(|_| lease.holder.is_none());
    let last = last.map(|id| view! { <dt>"Last process"</dt><dd class="id">{id}</dd> });
    let deadline = lease
        .deadline
        .map(|at| view! { <dt>"Deadline"</dt><dd><Time at exact=true/>", extended while it makes progress"</dd> });
    view! {
        <section aria-labelledby="h-place" class="panel">
            <h2 id="h-place">"Where it runs"</h2>
            <dl class="defs">
                <dt>"Process"</dt>
                {holder}
                {last}
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
                <dt>"Due"</dt>
                <dd><Time at=row.trigger_date exact=true/></dd>
                <dt>"Task ID"</dt>
                <dd class="id">{row.id.to_string()}</dd>
            </dl>
            {support(task)}
        </section>
    }
    .erase()
}
