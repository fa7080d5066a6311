//! Failures by their cause, and people who failed within tasks that went through.

use std::collections::HashMap;

use chrono::TimeDelta;
use model::{
    Instant, TaskErrorCode, TaskId, TaskKind, TaskState,
    admin::{FailureGroup, Failures, Window, failures::PeopleFailed},
    enum_words,
    error_code::{code_of, in_words},
    ledger::FailReason,
};
use queue::TaskSearch;
use sea_orm::{ColumnTrait, ConnectionTrait};

use crate::{
    Actor, Caseload, Result,
    admin::{audit_trail::redact, guard::administering},
    caseload::Admin,
    entity::tasks::task_person::Column,
    import::rows::line_cause::{self, LineCause},
    statement::composed,
    submit::spec::Spec,
    tasks::ledger::reason_label,
};

/// The parts of the history of a cause.
const PARTS: usize = 24;
/// The latest tasks with people who failed that are looked into, and the most lines of their ledgers.
const TASKS: u64 = 100;
const LINES: i64 = 100_000;
/// The most reasons that are told.
const REASONS: usize = 20;
/// Values that are told of lines with one cause.
const EXAMPLES: usize = 3;

/// What a cause is called, whichever kind of task failed of it; nothing where nothing is kept of it.
pub async fn cause_title(caseload: &Caseload, actor: &Actor, cause: &str) -> Result<Option<String>> {
    administering(actor)?;
    let (code, detail) = caseload.queue().words_of(cause).await?;
    let title = title("", &code, &detail);
    Ok(Some(title.trim_end_matches([':', ' ']).to_owned()).filter(|_| !code.is_empty()))
}

impl Admin<'_> {
    /// What failed within a window of time.
    pub async fn failures(self, actor: &Actor, window: Window) -> Result<Failures> {
        administering(actor)?;
        let since = self.0.db().now().await? - TimeDelta::seconds(window.seconds());
        let found = self.0.queue().causes(since, PARTS).await?;
        let told = |cause: queue::Cause| FailureGroup {
            title: title(&cause.kind, &cause.code, &cause.detail),
            cause: cause.fingerprint,
            kind: cause.kind,
            code: cause.code,
            detail: redact::addresses(&cause.detail),
            failures: cause.failures,
            tasks: cause.tasks,
            dead: cause.dead,
            retrying: cause.retrying,
            open: cause.open,
            first_date: cause.first,
            last_date: cause.last,
            history: cause.parts,
        };
        let groups = found.causes.into_iter().map(told).collect();
        Ok(Failures { since, groups, more: found.more, people: self.people_failed(since, window).await? })
    }

    /// People who failed in the latest tasks that went through within a window of time.
    async fn people_failed(self, since: Instant, window: Window) -> Result<Vec<PeopleFailed>> {
        let search = TaskSearch {
            states: vec![TaskState::DoneWithProblems],
            ended_since: Some(since),
            limit: TASKS,
            ..TaskSearch::default()
        };
        let mut lines = 0;
        let mut tasks = self.0.queue().tasks(&search).await?.tasks;
        tasks.retain(|task| {
            lines += task.total.unwrap_or_default();
            task.failed > 0 && lines <= LINES
        });
        if tasks.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT task_id, reason, COUNT(*) AS n FROM task_person
             WHERE $1 AND outcome = 'FAILED' AND reason IS NOT NULL GROUP BY task_id, reason
             ORDER BY n DESC, reason";
        let these = Column::TaskId.is_in(tasks.iter().map(|task| task.id));
        let statement = composed(self.0.db(), sql, [these]);
        let mut groups: HashMap<(String, String), PeopleFailed> = HashMap::new();
        for row in self.0.db().reader().query_all_raw(statement).await? {
            let (id, reason): (TaskId, String) = (row.try_get("", "task_id")?, row.try_get("", "reason")?);
            let Some(task) = tasks.iter().find(|task| task.id == id) else { continue };
            let kind = task.execution_component_name.clone();
            let action = Spec::of(task).map(|spec| spec.action);
            let ended = task.workflow_stopped_date.unwrap_or(since);
            let LineCause { what, value, like } = cause_of(&kind, &reason);
            let group = groups.entry((kind.clone(), what.clone())).or_insert_with(|| PeopleFailed {
                kind,
                label: reason_label(action.as_ref(), &what),
                reason: what,
                examples: Vec::new(),
                only_reason: Some(reason.clone()),
                tasks: 0,
                people: 0,
                task: id,
                task_ids: Vec::new(),
                first_date: ended,
                last_date: ended,
                history: vec![0; PARTS],
            });
            let people = row.try_get::<i64>("", "n")?.unsigned_abs();
            group.people += people;
            // One exact reason, or what stands for all of them.
            if let Some(only) = group.only_reason.take() {
                let is_alike = cause_of(&group.kind, &only).like == like;
                group.only_reason = if only == reason { Some(only) } else { is_alike.then_some(like) };
            }
            let example = value.map(|value| redact::addresses(&value));
            let example = example.filter(|example| !group.examples.contains(example));
            group.examples.extend(example.filter(|_| group.examples.len() < EXAMPLES));
            if !group.task_ids.contains(&id) {
                group.tasks += 1;
                group.task = group.task.max(id);
                group.task_ids.push(id);
            }
            group.first_date = group.first_date.min(ended);
            group.last_date = group.last_date.max(ended);
            if let Some(part) = group.history.get_mut(part_of(ended - since, window)) {
                *part += people;
            }
        }
        let mut groups: Vec<PeopleFailed> = groups.into_values().collect();
        groups.iter_mut().for_each(|group| group.task_ids.sort_by(|a, b| b.cmp(a)));
        groups.sort_by(|a, b| (b.people, &a.reason).cmp(&(a.people, &b.reason)));
        groups.truncate(REASONS);
        Ok(groups)
    }
}

/// What people failed of. A reason against a line of a file says what stood there, which is no part of it.
fn cause_of(kind: &str, reason: &str) -> LineCause {
    match reason.parse::<FailReason>() {
        Err(_) if kind == TaskKind::Import.name() => line_cause::of(reason),
        _ => LineCause { what: reason.to_owned(), value: None, like: reason.to_owned() },
    }
}

/// In which part of a window of time something was, so long after its beginning.
fn part_of(after: TimeDelta, window: Window) -> usize {
    let (after, whole) = (after.num_seconds().max(0).unsigned_abs(), window.seconds().max(1).unsigned_abs());
    usize::try_from(after * PARTS as u64 / whole).unwrap_or(PARTS).min(PARTS - 1)
}

/// A cause in one plain line: what its code means, or the beginning of what was said.
pub fn title(kind: &str, code: &str, detail: &str) -> String {
    let said = redact::addresses(detail.lines().next().unwrap_or_default());
    let said: String = said.chars().take(120).collect();
    match code_of(code) {
        Some(TaskErrorCode::UnknownKind) => format!("No process can run this kind: {kind}"),
        Some(TaskErrorCode::ProcessDied | TaskErrorCode::Deadline) => enum_words::capital(&said),
        // Two causes with one code: which of them stands in what was said.
        Some(TaskErrorCode::SelfTest) => {
            let which = if said.ends_with("for good") { "not retried" } else { "retried" };
            format!("{} ({which})", in_words(code).trim_end_matches('.'))
        }
        None if !said.is_empty() => enum_words::capital(&said),
        _ => in_words(code).trim_end_matches('.').to_owned(),
    }
}
