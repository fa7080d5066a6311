//! All tasks, by what administrators ask of them.

use std::collections::HashSet;

use chrono::TimeDelta;
use model::{
    Cursor, Instant, Page, TaskId, TaskRow, TaskState,
    admin::{AdminTaskQuery, AdminTaskRow, TaskOrder, Window},
    task::TaskGroup,
};
use queue::{Task, TaskSearch};

use crate::{
    Actor, Caseload, Result,
    accounts::account,
    admin::{
        audit_trail::redact,
        filter_values,
        guard::{administering, counted, unknown},
    },
    caseload::Admin,
    tasks::row,
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 25;
/// How far back a text is searched unless asked otherwise.
const SEARCHED: Window = Window::Week;

impl Admin<'_> {
    /// A page of all tasks, newest first.
    pub async fn task_list(self, actor: &Actor, query: &AdminTaskQuery) -> Result<Page<AdminTaskRow>> {
        administering(actor)?;
        let search = task_search(self.0, query, self.0.db().now().await?).await?;
        let page = self.0.queue().tasks(&search).await?;
        let next = page.tasks.last().filter(|_| page.more).map(|last| Cursor::after(last.id));
        let items = self.admin_rows(actor, &page.tasks, page.now).await?;
        Ok(Page { items, next, total: counted(page.total) })
    }

    /// The page on which these tasks were, as they are now and in this order, whatever has become of them; those that are gone
    /// are left out.
    pub async fn task_list_again(
        self,
        actor: &Actor,
        query: &AdminTaskQuery,
        ids: &[TaskId],
    ) -> Result<Page<AdminTaskRow>> {
        administering(actor)?;
        let now = self.0.db().now().await?;
        let search = task_search(self.0, query, now).await?;
        let total = self.0.queue().count_tasks(&search, now, queue::COUNTED).await?;
        let mut tasks = self.0.queue().tasks_by_id(ids.iter().copied()).await?;
        tasks.sort_by_key(|task| ids.iter().position(|id| *id == task.id));
        let rest = TaskSearch { after: ids.last().copied(), ..search };
        let more = !self.0.queue().matching(self.0.db().reader(), &rest, now, 1).await?.is_empty();
        let next = ids.last().filter(|_| more).map(Cursor::after);
        Ok(Page { items: self.admin_rows(actor, &tasks, now).await?, next, total: counted(total) })
    }

    /// How many tasks match that are newer than this one, counted up to a limit.
    pub async fn newer_tasks(self, actor: &Actor, query: &AdminTaskQuery, than: TaskId) -> Result<u64> {
        administering(actor)?;
        let now = self.0.db().now().await?;
        let search = task_search(self.0, &AdminTaskQuery { newest: None, after: None, ..query.clone() }, now).await?;
        Ok(self.0.queue().count_newer(&search, than, now, queue::COUNTED_PER_STATE).await?)
    }

    /// How many tasks are in each of these groups, or at all, of those that match otherwise; each counted up to a limit.
    pub async fn task_counts(
        self,
        actor: &Actor,
        query: &AdminTaskQuery,
        groups: &[Option<TaskGroup>],
    ) -> Result<Vec<model::Total>> {
        administering(actor)?;
        let now = self.0.db().now().await?;
        let search = task_search(self.0, &AdminTaskQuery { states: Vec::new(), ..query.clone() }, now).await?;
        let most = queue::COUNTED_PER_STATE;
        let states: Vec<Vec<TaskState>> =
            groups.iter().map(|group| group.map(TaskGroup::states).unwrap_or_default()).collect();
        let states: Vec<&[TaskState]> = states.iter().map(Vec::as_slice).collect();
        let counts = self.0.queue().counts_by_state(&search, &states).await?;
        Ok(counts.into_iter().map(|n| model::Total::upto(most, n)).collect())
    }

    /// Who owns tasks, for the choice in a filter: everybody with an account, by name.
    pub async fn task_owners(self, actor: &Actor) -> Result<Vec<(String, String)>> {
        administering(actor)?;
        account::names(self.0.db()).await
    }

    async fn admin_rows(self, actor: &Actor, tasks: &[Task], now: Instant) -> Result<Vec<AdminTaskRow>> {
        let stalled = stalled_among(self.0, tasks).await?;
        let rows = row::rows_of(self.0, actor, tasks, now).await?.into_iter().zip(tasks);
        Ok(rows.map(|(row, task)| admin_row(row, task, stalled.contains(&task.id))).collect())
    }
}

/// The search of a query, whose spans of time end at an instant.
pub(super) async fn task_search(caseload: &Caseload, query: &AdminTaskQuery, now: Instant) -> Result<TaskSearch> {
    filter_values::tasks_can_be_asked_for(caseload, query).await?;
    let owner_id = match &query.owner {
        None => None,
        Some(username) => {
            let account = account::by_username(caseload.db().reader(), username).await?;
            Some(account.ok_or_else(|| unknown("owner", username, "account"))?.person_id)
        }
    };
    let back = |window: Window| now - TimeDelta::seconds(window.seconds());
    Ok(TaskSearch {
        owner_id,
        states: query.states.clone(),
        kind: query.kind.clone(),
        process: query.process.clone(),
        stalled: query.stalled,
        cause: query.cause.clone(),
        error: query.error.clone(),
        ended_since: query.ended.map(|ended| now - TimeDelta::seconds(ended.seconds())),
        // A text is only ever looked for within a span of time.
        error_since: Some(query.window.map(back).max(query.since).unwrap_or_else(|| back(SEARCHED))),
        since: query.window.map(back).max(query.since),
        until: query.until,
        only: query.only.clone(),
        after: query.after.as_ref().map(Cursor::place).transpose()?,
        newer: None,
        newest: query.newest,
        oldest_first: query.order == TaskOrder::Oldest,
        limit: query.limit.unwrap_or(PAGE).clamp(1, model::parameters::MAX_LIMIT).into(),
    })
}

pub(super) fn admin_row(row: TaskRow, task: &Task, stalled: bool) -> AdminTaskRow {
    AdminTaskRow {
        row,
        process: task.scheduled_by_process.clone(),
        stalled,
        workflow_status_desc: task.workflow_status_desc.as_deref().map(redact::addresses),
    }
}

/// Those of these tasks that are stalled; only a running one can be.
pub(super) async fn stalled_among(caseload: &Caseload, tasks: &[Task]) -> Result<HashSet<TaskId>> {
    let running: Vec<TaskId> =
        tasks.iter().filter(|task| task.scheduled_by_process.is_some()).map(|task| task.id).collect();
    if running.is_empty() {
        return Ok(HashSet::new());
    }
    Ok(caseload.queue().stalled_among(&running).await?.into_iter().collect())
}
