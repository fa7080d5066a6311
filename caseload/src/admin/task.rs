//! One task with all that administrators see of it.

use chrono::TimeDelta;
use model::{
    AttemptOutcome, Outcome, TaskId, TaskRow, TaskState,
    admin::{AdminTask, AttemptInfo, Check, Lease, ProcessState, Window},
    counted, grouped,
    kind::label_of,
    task::IN_LINE,
};
use queue::{Attempt, ClaimConditions, Task, TaskSearch, state_of};

use crate::{
    Actor, Result,
    admin::{audit_trail::redact, guard::administering, operations, tasks},
    caseload::Admin,
    submit::spec::Spec,
    tasks::{
        ledger,
        queries::{LOOKS, stands_alike},
        row,
        timeline::{DoneByOthers, timeline},
        visible,
    },
};

impl Admin<'_> {
    /// One task, as of one moment.
    pub async fn task(self, actor: &Actor, id: TaskId) -> Result<AdminTask> {
        administering(actor)?;
        let mut task = visible::visible_task(self.0, actor, id).await?;
        for _ in 1..LOOKS {
            let detail = self.admin_detail(actor, &task).await?;
            let after = visible::visible_task(self.0, actor, id).await?;
            if stands_alike(&task, &after) {
                return Ok(detail);
            }
            task = after;
        }
        self.admin_detail(actor, &task).await
    }

    async fn admin_detail(self, actor: &Actor, task: &Task) -> Result<AdminTask> {
        let id = task.id;
        let now = self.0.db().now().await?;
        let stalled = tasks::stalled_among(self.0, std::slice::from_ref(task)).await?.contains(&id);
        let row = tasks::admin_row(row::row_of(self.0, actor, task, now).await?, task, stalled);
        let attempts = self.0.queue().attempts(id).await?;
        let conditions = self.0.queue().claim_conditions(&[task]).await?.pop().flatten();
        let kind_paused = self.0.queue().paused(&task.execution_component_name).await?.is_some();
        let cause = match attempts.iter().any(|attempt| attempt.error_code.is_some()) {
            true => self.0.queue().cause_of(id).await?,
            false => None,
        };
        let parent = match task.parent_task_id {
            Some(parent) => self.0.queue().task(parent).await?.map(|parent| row::link(&parent, now)),
            None => None,
        };
        let children = self.0.queue().children(id).await?;
        let done = DoneByOthers::of(self.0, task, &children).await?;
        let action = Spec::of(task).map(|spec| spec.action);
        let mut reasons = ledger::reasons(self.0, &row.row, action.as_ref()).await?;
        reasons.retain(|why| why.outcome == Outcome::Failed);
        let (execution_spec, redacted) = redact::request(task);
        let state = state_of(task, now);
        let fails = action.filter(|action| self.0.mail().sending().stops(action)).map(|_| will_fail(&row.row));
        let failed = (state == TaskState::DoneWithProblems).then(|| (row.row.failed, row.row.description().failed));
        let timeline = timeline(task, &row.row, &attempts, &done);
        Ok(AdminTask {
            same_cause: self.dead_of(cause.as_deref()).await?,
            lease: self.lease(task, &attempts).await?,
            standing: conditions.map(|conditions| checks(&conditions, task, state, fails)).unwrap_or_default(),
            execution_spec,
            redacted,
            execution_state: redact::bookmark(task),
            reasons,
            run_as_name: self.0.staff_name(task.run_as_id).await?,
            priority: task.priority,
            crashes: task.crashes.unsigned_abs(),
            rescued: task.rescued,
            attempts: attempts
                .into_iter()
                .rev()
                .enumerate()
                .map(|(place, attempt)| attempt_info(attempt, (place == 0).then_some(state), failed))
                .collect(),
            cause,
            parent,
            children: children.iter().map(|child| row::link(child, now)).collect(),
            timeline,
            kind_paused,
            can_retry: matches!(state, TaskState::Failed | TaskState::CouldNotStart | TaskState::Retrying)
                || row.row.can_retry,
            can_abandon: queue::may_abandon(task.workflow_status),
            can_put_back: stalled,
            task: row,
        })
    }

    /// How many tasks have ended of a cause within a week and wait for somebody.
    async fn dead_of(self, cause: Option<&str>) -> Result<u64> {
        let Some(cause) = cause else { return Ok(0) };
        let now = self.0.db().now().await?;
        let search = TaskSearch {
            cause: Some(cause.to_owned()),
            states: vec![TaskState::Failed, TaskState::CouldNotStart],
            since: Some(now - TimeDelta::seconds(Window::Week.seconds())),
            ..TaskSearch::default()
        };
        Ok(self.0.queue().count_tasks(&search, now, queue::COUNTED).await?)
    }

    async fn lease(self, task: &Task, attempts: &[Attempt]) -> Result<Lease> {
        let holder = task.scheduled_by_process.clone();
        let process = match &holder {
            Some(id) => operations::process_list(self.0).await?.into_iter().find(|process| process.id == *id),
            None => None,
        };
        Ok(Lease {
            holder_lives: process.as_ref().is_some_and(|process| process.state != ProcessState::Silent),
            heartbeat_age_ms: process.and_then(|process| process.heartbeat_age_ms),
            holder,
            last_holder: attempts.last().map(|attempt| attempt.process.clone()),
            deadline: task.deadline,
            deadline_seconds: self.0.queue().settings().deadline_of(&task.execution_component_name).as_secs(),
            fence: task.attempt.unsigned_abs(),
        })
    }
}

/// Everything that decides whether a task may run, what keeps it first.
fn checks(conditions: &ClaimConditions, task: &Task, state: TaskState, fails: Option<String>) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut say = |blocks, code: &str, text: String| {
        checks.push(Check { blocks, code: code.to_owned(), text, at: None });
    };
    if let Some(text) = fails {
        say(false, "no_mail", text);
    }
    let kind = label_of(&task.execution_component_name);
    if conditions.processes == 0 {
        say(true, "no_process", "No process is running. Start one.".to_owned());
    } else if conditions.known_by == 0 {
        let text = format!("No running process can run the kind “{kind}”. Start one that can, or close the task.");
        say(true, "unknown_kind", text);
    }
    if let Some(paused) = &conditions.paused {
        let why = paused.reason.as_deref().map(|reason| format!(": “{reason}”")).unwrap_or_default();
        say(true, "kind_paused", format!("“{kind}” tasks are paused{why}. Resume them to let it run."));
    }
    if conditions.waits_for_a_slot() {
        let text = match conditions.busy < conditions.slots {
            true => format!("All slots that can run the kind “{kind}” are busy. It starts when one is free."),
            false => format!("Busy slots: {0} of {0}. It starts when one is free.", conditions.slots),
        };
        say(true, "slots_full", text);
    }
    if let Some(share) = conditions.of_owner {
        let text = format!("Limit for its owner: {} of {} running", share.running, share.most);
        say(share.left() == 0, "owner_limit", text);
    }
    if let Some(share) = conditions.of_kind {
        let text = format!("Limit for “{kind}” tasks: {} of {} running", share.running, share.most);
        say(share.left() == 0, "kind_limit", text);
    }
    if conditions.waits_to_run_alone() {
        let text = "Two processes stopped while running it, so it waits for a process that is running nothing else.";
        say(true, "runs_alone", text.to_owned());
    }
    if let Some(place) = conditions.place {
        let text = match place {
            1 => "Next in line".to_owned(),
            place if place > IN_LINE => format!("{} or more tasks are before it in line", grouped(IN_LINE)),
            place => format!("{} in line, {} before it", ordinal(place), grouped(place - 1)),
        };
        say(place > 1, "in_line", text);
    }
    if conditions.has_slot {
        // Those of processes that cannot run the kind are of no use to it.
        say(false, "slots", format!("{} of {} slots are free", conditions.free, conditions.able));
    }
    if conditions.paused.is_none() && conditions.known_by > 0 {
        let processes = counted(conditions.known_by, "running process", "running processes");
        say(false, "kind", format!("“{kind}” tasks are not paused; {processes} can run it"));
    }
    if !conditions.due {
        let text = match task.failures {
            _ if state == TaskState::Held => "Held until".to_owned(),
            0 => "Scheduled for".to_owned(),
            n => format!("Waiting to retry after {}. Retry now skips the wait. Due", failures(n)),
        };
        let check = Check { blocks: true, code: "not_due".to_owned(), text, at: Some(conditions.trigger_date) };
        checks.insert(0, check);
    }
    checks.sort_by_key(|check| !check.blocks);
    checks
}

fn failures(n: i32) -> String {
    counted(u64::from(n.unsigned_abs()), "failure", "failures")
}

fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{ending}", grouped(n))
}

/// What comes of an email that cannot be sent.
fn will_fail(row: &TaskRow) -> String {
    let who = match row.people() {
        None | Some(0) => "everybody".to_owned(),
        Some(1) => model::people(1),
        Some(n) => format!("all {}", model::people(n)),
    };
    format!("Email is not set up: {who} will fail.")
}

/// An attempt; the newest one comes with the state of its task.
fn attempt_info(attempt: Attempt, newest: Option<TaskState>, failed: Option<(u64, &str)>) -> AttemptInfo {
    let outcome = attempt.outcome();
    let label = match (outcome, newest, failed) {
        (Some(AttemptOutcome::Completed), Some(_), Some((n, word))) if n > 0 => format!("Done, {} {word}", grouped(n)),
        (None, ..) => "Running".to_owned(),
        (Some(outcome), newest, _) => after(outcome, newest).to_owned(),
    };
    AttemptInfo {
        attempt: attempt.attempt.unsigned_abs(),
        process: attempt.process,
        started_date: attempt.started_date,
        stopped_date: attempt.stopped_date,
        label,
        outcome,
        error_code: attempt.error_code,
        detail: attempt.detail.as_deref().map(redact::addresses),
    }
}

/// How an attempt ended: only the newest one is still waited after.
fn after(outcome: AttemptOutcome, newest: Option<TaskState>) -> &'static str {
    match (outcome, newest) {
        (AttemptOutcome::ToRetry, None) => "Failed, retried",
        (AttemptOutcome::ToRetry, Some(TaskState::Cancelled | TaskState::Abandoned)) => "Failed",
        (AttemptOutcome::Waits, None | Some(TaskState::Cancelled | TaskState::Abandoned)) => "Waited",
        _ => outcome.label(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_attempt_waits_to_be_retried() {
        let [retrying, closed] = [TaskState::Retrying, TaskState::Abandoned].map(Some);
        let told = [retrying, closed, None].map(|newest| after(AttemptOutcome::ToRetry, newest));
        assert_eq!(told, ["Failed, waiting to retry", "Failed", "Failed, retried"]);
        assert_eq!(after(AttemptOutcome::Failed, None), "Failed");
    }

    #[test]
    fn places_are_said_as_people_say_them() {
        assert_eq!([2, 11, 12, 21, 103, 1_204].map(ordinal), ["2nd", "11th", "12th", "21st", "103rd", "1,204th"]);
    }
}
