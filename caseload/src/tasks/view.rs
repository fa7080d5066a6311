//! Tasks as staff see them: lists, one task, and the verbs on it.

use std::{collections::HashMap, sync::PoisonError};

use chrono::TimeDelta;
use model::{
    AccountId, AttemptOutcome, Code, Instant, Page, Problem, Role, TaskDetail, TaskId, TaskName, TaskQuery, TaskRow,
    TaskState, Total, WorkflowStatus,
    note::Reason,
    task::{Event, EventKind, TaskLink, TaskScope, percent},
    trouble::in_words,
};
use queue::{Attempt, Task, TaskSearch, state_of};
use serde_json::json;

use crate::tasks::title::title;
use crate::{
    Actor, Caseload, Result,
    actions::registry::rules,
    audit::entry::{self, By, Entry},
    entity::person_name,
    submit::follow_up::{may_retry_people, may_undo},
    submit::spec::Spec,
    tasks::done_to_task::{self, Verb},
    tasks::waiting::Wait,
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 25;
/// How often the page of a task is read at most, while the task goes from one state to the next.
pub(crate) const LOOKS: u32 = 3;
/// Names kept in memory, so that live events need no look at the table.
const NAMES: usize = 10_000;

impl Caseload {
    /// A page of tasks, newest first: one's own, or all for those who may read them.
    pub async fn tasks(&self, actor: &Actor, query: &TaskQuery) -> Result<Page<TaskRow>> {
        let owner_id = match query.scope {
            TaskScope::Mine => Some(actor.person_id),
            TaskScope::All if actor.role.reads_all_tasks() => None,
            TaskScope::All => return Err(actor.forbidden("You may see your own tasks only.")),
        };
        let after = match &query.after {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| {
                Problem::field("after", "invalid", "That page is not there; start from the first one.")
            })?),
        };
        if let Some(kind) = &query.kind
            && !self.is_kind(kind).await?
        {
            return Err(Problem::field("kind", "unknown", "There is no such kind of task.").into());
        }
        let limit = query.limit.unwrap_or(PAGE).clamp(1, model::filter::MAX_LIMIT);
        let search = TaskSearch {
            owner_id,
            states: query.states.clone(),
            kind: query.kind.clone(),
            after,
            limit: limit.into(),
            ..TaskSearch::default()
        };
        let page = self.queue().tasks(&search).await?;
        let next = page.tasks.last().filter(|_| page.more).map(|last| last.id.to_string());
        let mut items = Vec::with_capacity(page.tasks.len());
        for task in &page.tasks {
            items.push(self.row(actor, task, page.now).await?);
        }
        self.tell_places(&mut items, &page.tasks).await?;
        self.tell_undone(&mut items).await?;
        let total = Total::upto(queue::COUNTED, page.total);
        Ok(Page { items, next, total })
    }

    /// One task with its timeline, as of one moment: many tasks begin while their page is read.
    pub async fn task(&self, actor: &Actor, id: TaskId) -> Result<TaskDetail> {
        let mut task = self.visible_task(actor, id).await?;
        for _ in 1..LOOKS {
            let detail = self.detail(actor, &task).await?;
            let after = self.visible_task(actor, id).await?;
            if stands_alike(&task, &after) {
                return Ok(detail);
            }
            task = after;
        }
        self.detail(actor, &task).await
    }

    async fn detail(&self, actor: &Actor, task: &Task) -> Result<TaskDetail> {
        let id = task.id;
        let now = self.db().now().await?;
        let mut row = self.row(actor, task, now).await?;
        // What is so now says nothing of a task that is to start later.
        let wait = match row.state {
            TaskState::Waiting => self.wait_of(task).await?,
            _ => Wait::default(),
        };
        row.position = wait.place;
        self.tell_undone(std::slice::from_mut(&mut row)).await?;
        let spec = Spec::of(task);
        let attempts = self.queue().attempts(id).await?;
        let waits = wait.why.into_iter().map(|why| ("Waits because".to_owned(), why));
        let mut facts = spec.as_ref().map(|spec| rules(&spec.action).facts()).unwrap_or_default();
        if let Some(spec) = &spec {
            facts.extend(rules(&spec.action).told(self, id).await?);
        }
        let parent = match task.parent_task_id {
            Some(parent) => self.queue().task(parent).await?.filter(|parent| may_see(actor, parent)),
            None => None,
        };
        let mut children = Vec::new();
        for child in self.queue().children(id).await?.iter().filter(|child| may_see(actor, child)) {
            children.push(self.link(child, now));
        }
        Ok(TaskDetail {
            file: if task.owner_id == actor.person_id { self.export_file(id).await? } else { None },
            reasons: self.reasons(&row, spec.as_ref().map(|spec| &spec.action)).await?,
            can_resend: match spec.as_ref().filter(|_| may_act(actor, task)) {
                Some(spec) => self.resendable(task, spec).await?,
                None => Vec::new(),
            },
            kept_until: self.kept_until(&row),
            parent: parent.map(|parent| self.link(&parent, now)),
            children,
            timeline: timeline(task, &row, &attempts, &self.done_to(id).await?),
            // It is named for its machine, which is nobody else's business.
            process: task.scheduled_by_process.clone().filter(|_| actor.role == Role::Administrator),
            facts: waits.chain(facts).collect(),
            filter_query: spec.as_ref().and_then(|spec| spec.members.filter()).map(|filter| filter.to_query()),
            row,
        })
    }

    /// The row of a task alone.
    pub async fn task_row(&self, actor: &Actor, id: TaskId) -> Result<TaskRow> {
        let task = self.visible_task(actor, id).await?;
        self.row(actor, &task, self.db().now().await?).await
    }

    /// When a finished task is pruned with all that belongs to it.
    fn kept_until(&self, row: &TaskRow) -> Option<Instant> {
        let stopped = row.stopped_date.filter(|_| row.status.is_finished())?;
        TimeDelta::from_std(self.queue().settings().retention?).ok().and_then(|kept| stopped.checked_add_signed(kept))
    }

    /// Gives a task up for good; what it has done stays done.
    pub async fn abandon(&self, actor: &Actor, id: TaskId, reason: Option<&str>) -> Result<()> {
        let before = self.owned_task(actor, id).await?;
        let reason = Reason::read(reason)?;
        done_to_task::insist(actor, &before, reason.as_ref())?;
        let txn = self.db().begin_write().await?;
        let task = self.queue().abandon(&txn, id, actor.person_id, reason.as_ref().map(Reason::as_str)).await?;
        let (before, after) = (done_to_task::standing(&before), done_to_task::standing(&task));
        let detail = json!({ "reason": reason, "before": before, "after": after });
        self.record_verb(&txn, actor, "task.abandon", id, detail).await?;
        self.db().commit(txn).await?;
        self.queue().tell_given_up(std::slice::from_ref(&task));
        tracing::info!(task = %id, by = %actor.person_id, "task given up");
        Ok(())
    }

    /// How many of the actor's tasks are running now.
    pub async fn running_count(&self, actor: &Actor) -> Result<u64> {
        Ok(self.queue().running(actor.person_id).await?)
    }

    /// A changed task as live events carry it, from memory; `None` when it is not the actor's to see.
    pub async fn live_row(&self, actor: &Actor, task: &Task) -> Result<Option<TaskRow>> {
        if !may_see(actor, task) {
            return Ok(None);
        }
        // A task that has just been written is due or not as of then.
        self.row(actor, task, task.modified_date.max(task.created_date)).await.map(Some)
    }

    /// The id of the task that somebody means. Two with one short id are told apart by their whole ones only.
    pub async fn task_named(&self, actor: &Actor, name: TaskName) -> Result<TaskId> {
        let ids = match name {
            TaskName::Whole(id) => vec![id],
            TaskName::Short(end) => self.queue().tasks_ending_in(end).await?,
        };
        match ids[..] {
            [] => Err(Problem::not_found("task").into()),
            [id] => Ok(self.visible_task(actor, id).await?.id),
            _ => Err(Problem::bad_request(
                Code::AMBIGUOUS,
                "Several tasks have this short id. Please give the whole one.",
            )
            .into()),
        }
    }

    /// The task, if the actor may see it; to others it does not exist.
    pub(crate) async fn visible_task(&self, actor: &Actor, id: TaskId) -> Result<Task> {
        match self.queue().task(id).await? {
            Some(task) if may_see(actor, &task) => Ok(task),
            Some(_) => Err(actor.hidden("task")),
            None => Err(Problem::not_found("task").into()),
        }
    }

    /// Those of these tasks that the actor may see, by id.
    pub(crate) async fn visible_tasks(
        &self,
        actor: &Actor,
        ids: impl IntoIterator<Item = TaskId>,
    ) -> Result<HashMap<TaskId, Task>> {
        let tasks = self.queue().tasks_by_id(ids).await?;
        Ok(tasks.into_iter().filter(|task| may_see(actor, task)).map(|task| (task.id, task)).collect())
    }

    /// The task, if the actor may act on it.
    pub(crate) async fn owned_task(&self, actor: &Actor, id: TaskId) -> Result<Task> {
        let task = self.visible_task(actor, id).await?;
        if may_act(actor, &task) {
            return Ok(task);
        }
        Err(actor.forbidden("You may act on your own tasks only."))
    }

    /// Refuses whoever may not act on the task, before anything that they say of it is read.
    pub async fn may_act_on(&self, actor: &Actor, id: TaskId) -> Result<()> {
        self.owned_task(actor, id).await.map(drop)
    }

    pub(crate) async fn record_verb(
        &self,
        txn: &sea_orm::DatabaseTransaction,
        actor: &Actor,
        action: &str,
        id: TaskId,
        detail: serde_json::Value,
    ) -> Result<()> {
        let object_id = Some(id.to_string());
        let entry = Entry { by: By::Actor(actor), action, object_kind: "task", object_id, detail };
        Ok(entry::record(self.db(), txn, entry).await?)
    }

    /// Says of those rows that wait at which place, each of its task.
    async fn tell_places(&self, rows: &mut [TaskRow], tasks: &[Task]) -> Result<()> {
        let waiting = rows.iter_mut().zip(tasks).filter(|(row, _)| row.state == TaskState::Waiting);
        let (rows, tasks): (Vec<_>, Vec<_>) = waiting.unzip();
        for (row, place) in rows.into_iter().zip(self.queue().places_in_line(&tasks).await?) {
            row.position = place;
        }
        Ok(())
    }

    pub(crate) async fn row(&self, actor: &Actor, task: &Task, now: Instant) -> Result<TaskRow> {
        let spec = Spec::of(task);
        let state = state_of(task, now);
        let abandoned_by_name = match task.abandoned_by {
            Some(id) => Some(self.name(id).await?),
            None => None,
        };
        let (total, treated) = (task.total.map(i64::unsigned_abs), treated(task));
        Ok(TaskRow {
            id: task.id,
            kind: task.execution_component_name.clone(),
            title: title(task),
            status: task.workflow_status,
            state,
            label: label(task, state, percent(task.workflow_status, treated, total.unwrap_or_default())),
            owner_id: task.owner_id,
            owner_name: self.name(task.owner_id).await?,
            total,
            succeeded: task.succeeded.unsigned_abs(),
            skipped: task.skipped.unsigned_abs(),
            failed: task.failed.unsigned_abs(),
            uncertain: task.uncertain.unsigned_abs(),
            attempt: task.attempt.unsigned_abs(),
            failures: task.failures.unsigned_abs(),
            max_failures: task.max_failures.unsigned_abs(),
            created_date: task.created_date,
            trigger_date: task.trigger_date,
            started_date: task.execution_started_date,
            stopped_date: task.workflow_stopped_date,
            modified_date: task.modified_date,
            reason: spec.as_ref().and_then(|spec| spec.reason.clone()),
            finish_reason: task.finish_reason.clone(),
            abandoned_by_name,
            trouble: task.workflow_status_desc.as_deref().map(in_words),
            position: None,
            // Of somebody else's it takes a reason, which the pages of administrators ask for.
            can_retry: (task.owner_id == actor.person_id && queue::may_retry(task.workflow_status))
                || (may_act(actor, task) && spec.as_ref().is_some_and(|spec| may_retry_people(task, spec))),
            can_undo: may_act(actor, task) && spec.as_ref().is_some_and(|spec| may_undo(actor, task, spec)),
            can_repeat: spec.as_ref().is_some_and(|spec| spec.action.can_be_repeated()),
            can_abandon: may_act(actor, task) && queue::may_abandon(task.workflow_status),
        })
    }

    pub(crate) fn link(&self, task: &Task, now: Instant) -> TaskLink {
        let state = state_of(task, now);
        TaskLink { id: task.id, kind: task.execution_component_name.clone(), title: title(task), state }
    }

    pub(crate) async fn name(&self, id: AccountId) -> Result<String> {
        let names = &self.inner.names.0;
        if let Some(name) = names.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(name.clone());
        }
        let name = person_name(self.db().reader(), id.person()).await?.unwrap_or_else(|| "Somebody".to_owned());
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() >= NAMES {
            names.clear();
        }
        names.insert(id, name.clone());
        Ok(name)
    }
}

fn may_see(actor: &Actor, task: &Task) -> bool {
    task.owner_id == actor.person_id || actor.role.reads_all_tasks()
}

fn may_act(actor: &Actor, task: &Task) -> bool {
    task.owner_id == actor.person_id || actor.role == Role::Administrator
}

/// Whether two looks at a task found the same attempt in the same state.
pub(crate) fn stands_alike(one: &Task, other: &Task) -> bool {
    let stand = |task: &Task| (task.workflow_status, task.attempt, task.trigger_date);
    stand(one) == stand(other)
}

fn treated(task: &Task) -> u64 {
    (task.succeeded + task.skipped + task.failed + task.uncertain).unsigned_abs()
}

/// The state in words, with its number. Instants are left to the page, which knows the reader's clock.
fn label(task: &Task, state: TaskState, percent: u64) -> String {
    match state {
        TaskState::Running if task.workflow_status == WorkflowStatus::Scheduling => "Starting".to_owned(),
        TaskState::Running => format!("Running {percent}\u{a0}%"),
        TaskState::Retrying => format!("Retrying (try {} of {})", task.failures + 1, task.max_failures),
        TaskState::DoneWithProblems => {
            let counts = [(task.failed, "failed"), (task.uncertain, "uncertain")];
            let told = counts.iter().filter(|(count, _)| *count > 0);
            let told: Vec<_> =
                told.map(|(count, word)| format!("{} {word}", model::grouped(count.unsigned_abs()))).collect();
            format!("Done with problems ({})", told.join(", "))
        }
        other => other.label().to_owned(),
    }
}

/// What happened, latest first.
pub(crate) fn timeline(task: &Task, row: &TaskRow, attempts: &[Attempt], done: &[(Verb, String)]) -> Vec<Event> {
    let event = |date, kind, text: &str, note| Event { date, kind, text: text.to_owned(), note };
    let submitted = format!("Submitted by {}", row.owner_name);
    let people = task.total.filter(|_| row.description().has_people());
    let people = people.map(|total| model::people(total.unsigned_abs()));
    let mut events = vec![event(task.created_date, EventKind::Submitted, &submitted, people)];
    for attempt in attempts {
        let text = if attempt.attempt == 1 { "Started" } else { "Started again" };
        events.push(event(attempt.started_date, EventKind::Started, text, None));
        let Some(stopped) = attempt.stopped_date else { continue };
        let note = attempt.error_code.as_deref().map(in_words);
        let (kind, text) = match attempt.outcome().unwrap_or(AttemptOutcome::Otherwise) {
            AttemptOutcome::Completed => (EventKind::Ended, "Done".to_owned()),
            AttemptOutcome::PutBack => (EventKind::Interrupted, "Paused for a restart of Docket".to_owned()),
            AttemptOutcome::Rescued => (EventKind::Interrupted, "Interrupted; it goes on where it was".to_owned()),
            AttemptOutcome::Waits => (EventKind::Interrupted, "Waits until it can go on".to_owned()),
            AttemptOutcome::ToRetry => (EventKind::Trouble, "Did not work; it will be tried again".to_owned()),
            AttemptOutcome::Abandoned => (EventKind::Stopped, stopped_text(row)),
            AttemptOutcome::CouldNotStart => (EventKind::Trouble, "Could not start".to_owned()),
            AttemptOutcome::Poison => (EventKind::Trouble, "Given up: Docket stopped each time it tried".to_owned()),
            AttemptOutcome::Compensated => {
                (EventKind::Trouble, "Interrupted; what it had done is being undone".to_owned())
            }
            AttemptOutcome::GivenUp => (EventKind::Trouble, "Interrupted, and not tried again".to_owned()),
            AttemptOutcome::Failed => (EventKind::Trouble, "Failed".to_owned()),
            AttemptOutcome::Otherwise => {
                (EventKind::Interrupted, "Ended as only another version of Docket knows".to_owned())
            }
        };
        events.push(event(stopped, kind, &text, note));
    }
    let before_start = task.workflow_status == WorkflowStatus::Abandoned
        && !attempts.iter().any(|attempt| attempt.outcome() == Some(AttemptOutcome::Abandoned));
    if let (true, Some(stopped)) = (before_start, task.workflow_stopped_date) {
        events.push(event(stopped, EventKind::Stopped, &stopped_text(row), None));
    }
    for (verb, name) in done {
        let what = if verb.word == done_to_task::PUT_BACK { "Put back into the queue" } else { "Retried" };
        let text = match &verb.reason {
            Some(reason) => format!("{what} by {name}: {reason}"),
            None => format!("{what} by {name}"),
        };
        events.push(event(verb.date, EventKind::Interrupted, &text, None));
    }
    // What happened at one instant stays in its order.
    events.sort_by_key(|event| event.date);
    events.reverse();
    events
}

fn stopped_text(row: &TaskRow) -> String {
    let by = row.abandoned_by_name.as_deref().unwrap_or("somebody");
    match &row.finish_reason {
        Some(reason) => format!("{} by {by}: {reason}", row.state.label()),
        None => format!("{} by {by}", row.state.label()),
    }
}
