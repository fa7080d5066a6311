//! A task as a row of a list, wherever it is shown.

pub(crate) mod summary;

use model::{
    AttemptOutcome, Instant, TaskRow, TaskState, WorkflowStatus,
    error_code::in_words,
    kind::Description,
    task::{TaskLink, percent},
};
use queue::{Task, state_of};

use crate::{
    Actor, Caseload, Result, SYSTEM_PERSON,
    submit::{
        follow_up::{may_retry_people, may_undo},
        spec::Spec,
        undo_state,
    },
    tasks::{people_executor, title::title, visible::may_act},
};

/// A task as a row; of several, [`rows_of`] asks once.
pub(crate) async fn row_of(caseload: &Caseload, actor: &Actor, task: &Task, now: Instant) -> Result<TaskRow> {
    let mut row = without_undo(caseload, actor, task, now).await?;
    undo_state::add_undo_states(caseload, std::slice::from_mut(&mut row)).await?;
    Ok(row)
}

/// Tasks as rows, in their order. There is no other way to one, so that each says whether its task was undone.
pub(crate) async fn rows_of(caseload: &Caseload, actor: &Actor, tasks: &[Task], now: Instant) -> Result<Vec<TaskRow>> {
    let mut rows = Vec::with_capacity(tasks.len());
    for task in tasks {
        rows.push(without_undo(caseload, actor, task, now).await?);
    }
    undo_state::add_undo_states(caseload, &mut rows).await?;
    Ok(rows)
}

async fn without_undo(caseload: &Caseload, actor: &Actor, task: &Task, now: Instant) -> Result<TaskRow> {
    let spec = Spec::of(task);
    let state = state_of(task, now);
    let abandoned_by_name = match task.abandoned_by {
        Some(id) => Some(caseload.staff_name(id).await?),
        None => None,
    };
    let (total, treated) = (task.total.map(i64::unsigned_abs), treated(task));
    let trouble = task.workflow_status_desc.as_deref().map(in_words);
    let listed = spec.as_ref().and_then(|spec| people_executor::listed(task, spec));
    let mut row = TaskRow {
        id: task.id,
        kind: task.execution_component_name.clone(),
        title: title(task),
        status: task.workflow_status,
        state,
        label: match listed {
            Some(_) => "Preparing".to_owned(),
            None => label(task, state, percent(task.workflow_status, treated, total.unwrap_or_default())),
        },
        owner_id: task.owner_id,
        owner_name: caseload.staff_name(task.owner_id).await?,
        total,
        expected: spec.as_ref().and_then(|spec| spec.will_change),
        listed,
        succeeded: task.succeeded.unsigned_abs(),
        skipped: task.skipped.unsigned_abs(),
        failed: task.failed.unsigned_abs(),
        uncertain: task.uncertain.unsigned_abs(),
        attempt: task.attempt.unsigned_abs(),
        failures: task.failures.unsigned_abs(),
        max_failures: task.max_failures.unsigned_abs(),
        created_date: task.created_date,
        trigger_date: task.trigger_date,
        started_date: began(caseload, task).await?,
        stopped_date: task.workflow_stopped_date,
        modified_date: task.modified_date,
        reason: spec.as_ref().and_then(|spec| spec.reason.clone()),
        finish_reason: task.finish_reason.clone(),
        position: None,
        line: match (&abandoned_by_name, &task.finish_reason) {
            _ if state == TaskState::Unapproved => Some("Waits for a second person to approve it".to_owned()),
            _ if is_expired(task) => Some("Nobody approved it in time".to_owned()),
            _ if !matches!(state, TaskState::Abandoned | TaskState::Cancelled | TaskState::Declined) => trouble.clone(),
            (Some(name), Some(why)) => Some(format!("By {name}: “{why}”")),
            // The state stands beside it, and who cancelled their own knows.
            (Some(name), None) => (task.abandoned_by != Some(actor.person_id)).then(|| format!("By {name}")),
            (None, why) => why.as_ref().map(|why| format!("“{why}”")),
        },
        trouble,
        summary: None,
        abandoned_by_name,
        // Of somebody else's it takes a reason, which the pages of administrators ask for.
        can_retry: (task.owner_id == actor.person_id && queue::may_retry(task.workflow_status))
            || (may_act(actor, task) && spec.as_ref().is_some_and(|spec| may_retry_people(task, spec))),
        can_undo: may_act(actor, task) && spec.as_ref().is_some_and(|spec| may_undo(actor, task, spec)),
        can_repeat: spec.as_ref().is_some_and(|spec| spec.action.can_be_repeated()),
        can_abandon: may_act(actor, task) && queue::may_abandon(task.workflow_status),
    };
    row.summary = summary::summary(&row, spec.as_ref().map(|spec| &spec.action));
    Ok(row)
}

pub(crate) fn link(task: &Task, now: Instant) -> TaskLink {
    let state = state_of(task, now);
    TaskLink { id: task.id, kind: task.execution_component_name.clone(), title: title(task), state }
}

/// When the run began that a task is in, or ended with: attempts that followed each other by themselves are one.
async fn began(caseload: &Caseload, task: &Task) -> Result<Option<Instant>> {
    if task.attempt < 2 || !task.workflow_status.is_finished() {
        return Ok(task.execution_started_date);
    }
    let attempts = caseload.queue().attempts(task.id).await?;
    let earlier = attempts.iter().rev().skip(1);
    let of_this_run = earlier.take_while(|attempt| !attempt.outcome().is_some_and(AttemptOutcome::is_dead));
    Ok(of_this_run.last().map(|attempt| attempt.started_date).or(task.execution_started_date))
}

fn treated(task: &Task) -> u64 {
    (task.succeeded + task.skipped + task.failed + task.uncertain).unsigned_abs()
}

/// The state in words, with its number. Instants are left to the page, which knows the reader's clock.
fn label(task: &Task, state: TaskState, percent: u64) -> String {
    match state {
        TaskState::Running if task.workflow_status == WorkflowStatus::Scheduling => "Starting".to_owned(),
        TaskState::Running => format!("Running {percent}%"),
        TaskState::Retrying => format!("{} (attempt {} of {})", state.label(), task.failures + 1, task.max_failures),
        TaskState::DoneWithProblems => {
            let counts =
                [(task.failed, Description::of(&task.execution_component_name).failed), (task.uncertain, "uncertain")];
            let told = counts.iter().filter(|(count, _)| *count > 0);
            let told: Vec<_> =
                told.map(|(count, word)| format!("{} {word}", model::grouped(count.unsigned_abs()))).collect();
            format!("Done with problems ({})", told.join(", "))
        }
        TaskState::Declined if is_expired(task) => EXPIRED.to_owned(),
        other => other.label().to_owned(),
    }
}

/// The label of a task that nobody approved in time.
pub(crate) const EXPIRED: &str = "Expired";

fn is_expired(task: &Task) -> bool {
    task.declined && task.abandoned_by == Some(SYSTEM_PERSON)
}
