//! The state of the queue, computed at most once a second for all who look, and not at all while nobody does.

use std::sync::Arc;

use chrono::TimeDelta;
use model::{
    TaskKind, TaskRow, Total, WorkflowStatus,
    admin::{FailedPeople, HistoryPart, ProcessState, QueueHealth, QueueHistory, Sample, Window},
    task::TaskGroup,
};
use queue::{TaskSearch, statistics};

use crate::{
    Actor, Result,
    admin::{
        guard::{administering, counted},
        health::attention,
        operations, tasks,
    },
    caseload::Admin,
    tasks::row,
};

/// How old what was computed may be.
const FRESH: TimeDelta = TimeDelta::milliseconds(950);

impl Admin<'_> {
    /// The state of the queue.
    pub async fn health(self, actor: &Actor) -> Result<Arc<QueueHealth>> {
        administering(actor)?;
        let mut last = self.0.inner.health.0.lock().await;
        let now = self.0.now();
        if let Some((_, health)) = last.as_ref().filter(|(computed, _)| now - computed < FRESH) {
            return Ok(health.clone());
        }
        let health = Arc::new(self.compute_health().await?);
        *last = Some((now, health.clone()));
        Ok(health)
    }

    async fn compute_health(self) -> Result<QueueHealth> {
        let found = self.0.queue().health().await?;
        let processes = operations::process_list(self.0).await?;
        let up = |state| processes.iter().filter(move |process| process.state == state);
        let mut health = QueueHealth {
            at: found.at,
            waiting: counted(found.waiting),
            oldest_seconds: found.oldest_seconds,
            running: found.running,
            slots: up(ProcessState::Up).map(|process| process.slots).sum(),
            stalled: found.stalled,
            retrying: counted(found.retrying),
            scheduled: counted(found.scheduled),
            failed_hour: counted(found.dead.iter().map(|dead| dead.tasks).sum()),
            done_minute: counted(found.done_minute),
            processes_up: up(ProcessState::Up).count() as u64,
            processes_silent: up(ProcessState::Silent).count() as u64,
            attention: Vec::new(),
        };
        health.attention = attention::list(self.0, &health, &found.dead, &processes).await?;
        Ok(health)
    }

    /// The history of a window of time, of one kind of task or of all.
    pub async fn history(self, actor: &Actor, window: Window, kind: Option<&str>) -> Result<QueueHistory> {
        administering(actor)?;
        let history = self.0.queue().history(window.seconds(), window.step(), kind).await?;
        let part = |part: &statistics::Throughput| HistoryPart {
            done: part.done + part.problems,
            problems: part.problems,
            failed: part.failed,
            abandoned: part.abandoned,
            people: part.people,
            wait_p50: part.waits.quantile(0.5),
            wait_p95: part.waits.quantile(0.95),
            run_p50: part.runs.quantile(0.5),
            run_p95: part.runs.quantile(0.95),
        };
        let sample = |sample: &statistics::HistoryPoint| Sample {
            date: sample.date,
            waiting: sample.waiting,
            running: sample.running,
            retrying: sample.retrying,
            stalled: sample.stalled,
            oldest_seconds: sample.oldest_seconds,
        };
        Ok(QueueHistory {
            start: history.start,
            step: history.step.unsigned_abs(),
            parts: history.parts.iter().map(part).collect(),
            samples: history.samples.iter().map(sample).collect(),
            failed_people: self.failed_people(window, kind).await?,
        })
    }

    async fn failed_people(self, window: Window, kind: Option<&str>) -> Result<FailedPeople> {
        let search = TaskSearch {
            states: TaskGroup::WithProblems.states(),
            kind: kind.map(str::to_owned),
            ended_since: Some(self.0.db().now().await? - TimeDelta::seconds(window.seconds())),
            ..TaskSearch::default()
        };
        let (tasks, people) = queue::failed_in(self.0.queue(), &search, queue::COUNTED).await?;
        // Of more tasks not all were looked at.
        let exact = tasks < queue::COUNTED;
        let import = TaskKind::Import.name();
        let lines = match kind {
            _ if people == 0 => 0,
            Some(kind) => {
                if kind == import {
                    people
                } else {
                    0
                }
            }
            None => {
                let imports = TaskSearch { kind: Some(import.to_owned()), ..search };
                queue::failed_in(self.0.queue(), &imports, queue::COUNTED).await?.1.min(people)
            }
        };
        let [people, lines, tasks] = [people, lines, tasks].map(|value| Total { value, exact });
        Ok(FailedPeople { people, lines, tasks })
    }

    /// The running tasks, those first that have been for longest, with the process that each is with and whether it is stalled.
    pub async fn running(self, actor: &Actor, most: usize) -> Result<Vec<(TaskRow, Option<String>, bool)>> {
        administering(actor)?;
        let search = TaskSearch {
            states: vec![model::TaskState::Running],
            limit: queue::COUNTED_PER_STATE,
            ..TaskSearch::default()
        };
        let page = self.0.queue().tasks(&search).await?;
        let mut tasks = page.tasks;
        tasks.retain(|task| task.workflow_status != WorkflowStatus::Queued);
        tasks.sort_by_key(|task| task.execution_started_date.or(task.scheduling_started_date));
        tasks.truncate(most);
        let stalled = tasks::stalled_among(self.0, &tasks).await?;
        let rows = row::rows_of(self.0, actor, &tasks, page.now).await?.into_iter().zip(tasks);
        Ok(rows.map(|(row, task)| (row, task.scheduled_by_process, stalled.contains(&task.id))).collect())
    }
}
