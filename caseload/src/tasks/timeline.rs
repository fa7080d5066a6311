//! What happened to a task, in words.

use model::{
    AttemptOutcome, TaskKind, TaskRow, TaskState, WorkflowStatus,
    error_code::in_words,
    task::{Event, EventKind},
};
use queue::{Attempt, Task};

use crate::{
    Caseload, Result,
    tasks::{
        done_to_task::{self, Verb},
        row::EXPIRED,
    },
};

/// What others did to a task.
pub(crate) struct DoneByOthers {
    /// Who submitted it; whose it is may have changed since.
    pub submitted_by: String,
    pub verbs: Vec<(Verb, String)>,
    /// The tasks that put something back, with who sent each.
    pub undos: Vec<(Task, String)>,
}

impl DoneByOthers {
    /// What was done to a task that has these children.
    pub async fn of(caseload: &Caseload, task: &Task, children: &[Task]) -> Result<DoneByOthers> {
        let mut undos = Vec::new();
        for child in children.iter().filter(|child| child.execution_component_name == TaskKind::Undo.name()) {
            undos.push((child.clone(), caseload.staff_name(child.owner_id).await?));
        }
        let submitted_by = caseload.staff_name(task.created_by).await?;
        Ok(DoneByOthers { submitted_by, verbs: done_to_task::with_names(caseload, task.id).await?, undos })
    }
}

/// What happened, latest first.
pub(crate) fn timeline(task: &Task, row: &TaskRow, attempts: &[Attempt], done: &DoneByOthers) -> Vec<Event> {
    let event = |date, kind, text: &str, note| Event { date, kind, text: text.to_owned(), note, task_id: None };
    let submitted = format!("Submitted by {}", done.submitted_by);
    let (kind, (one, several)) = (row.description(), row.description().unit);
    let people =
        row.people().filter(|_| kind.has_people()).map(|people| match row.total.filter(|total| people < *total) {
            Some(total) => format!("{} of {}", model::grouped(people), model::counted(total, one, several)),
            None => model::counted(people, one, several),
        });
    let mut events = vec![event(task.created_date, EventKind::Submitted, &submitted, people)];
    for attempt in attempts {
        let text = if attempt.attempt == 1 { "Started" } else { "Resumed" };
        events.push(event(attempt.started_date, EventKind::Started, text, None));
        let Some(stopped) = attempt.stopped_date else { continue };
        let note = attempt.error_code.as_deref().map(in_words);
        let (kind, text) = match attempt.outcome().unwrap_or(AttemptOutcome::Otherwise) {
            AttemptOutcome::Completed if row.state == TaskState::DoneWithProblems => {
                (EventKind::Trouble, row.label.clone())
            }
            AttemptOutcome::Completed => (EventKind::Ended, "Done".to_owned()),
            AttemptOutcome::PutBack => (EventKind::Interrupted, "Paused for a restart of Docket".to_owned()),
            AttemptOutcome::Rescued => (EventKind::Interrupted, "Interrupted; it will resume".to_owned()),
            AttemptOutcome::Waits => (EventKind::Interrupted, "Waiting to retry".to_owned()),
            AttemptOutcome::ToRetry => (EventKind::Trouble, Event::TO_RETRY.to_owned()),
            AttemptOutcome::Abandoned => (EventKind::Stopped, stopped_text(row)),
            AttemptOutcome::CouldNotStart => (EventKind::Trouble, "Could not start".to_owned()),
            AttemptOutcome::Poison => (EventKind::Trouble, "Failed: Docket stopped each time it tried".to_owned()),
            AttemptOutcome::Compensated => {
                (EventKind::Trouble, "Interrupted; what it had done is being undone".to_owned())
            }
            AttemptOutcome::GivenUp => (EventKind::Trouble, "Interrupted; it will not be retried".to_owned()),
            AttemptOutcome::Failed => (EventKind::Trouble, "Failed".to_owned()),
            AttemptOutcome::Otherwise => {
                (EventKind::Interrupted, "Ended in a way that only another version of Docket can show".to_owned())
            }
        };
        events.push(event(stopped, kind, &text, note));
    }
    let before_start = task.workflow_status == WorkflowStatus::Abandoned
        && !attempts.iter().any(|attempt| attempt.outcome() == Some(AttemptOutcome::Abandoned));
    if let (true, Some(stopped)) = (before_start, task.workflow_stopped_date) {
        events.push(event(stopped, EventKind::Stopped, &stopped_text(row), None));
    }
    for (verb, name) in &done.verbs {
        let what = match verb.word.as_str() {
            done_to_task::PUT_BACK => "Put back in the queue",
            done_to_task::SEND_NOW => "Hold ended",
            done_to_task::APPROVE => "Approved",
            done_to_task::MOVE_START => "Start time changed",
            done_to_task::HAND_OVER => "Handed over",
            _ => "Retried",
        };
        let text = match &verb.reason {
            Some(reason) => format!("{what} by {name}: {reason}"),
            None => format!("{what} by {name}"),
        };
        let kind = match verb.word.as_str() {
            done_to_task::SEND_NOW | done_to_task::APPROVE => EventKind::Started,
            done_to_task::MOVE_START => EventKind::Moved,
            _ => EventKind::Interrupted,
        };
        events.push(event(verb.date, kind, &text, None));
    }
    for (undo, name) in done.undos.iter().filter(|(undo, _)| undo.succeeded > 0) {
        let Some(date) = undo.workflow_stopped_date else { continue };
        let restored = undo.succeeded.unsigned_abs();
        let note = (restored < row.succeeded).then(|| format!("{} restored", model::people(restored)));
        let undone = event(date, EventKind::Undone, &format!("Undone by {name}"), note);
        events.push(Event { task_id: Some(undo.id), ..undone });
    }
    // What happened at one instant stays in its order.
    events.sort_by_key(|event| event.date);
    events.reverse();
    events
}

fn stopped_text(row: &TaskRow) -> String {
    if row.label == EXPIRED {
        return "Expired: nobody approved it in time".to_owned();
    }
    let by = row.abandoned_by_name.as_deref().unwrap_or("somebody");
    match &row.finish_reason {
        Some(reason) => format!("{} by {by}: {reason}", row.state.label()),
        None => format!("{} by {by}", row.state.label()),
    }
}
