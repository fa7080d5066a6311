//! Looks for tasks: a page of them, how many there are in each state, and which of them a verb would reach.
//!
//! Whatever is asked, the answer is bounded: counts end at a limit, and each condition that not every task has is looked up in
//! an index of its own.

mod condition;
mod wanted;

use std::collections::HashMap;

use model::{Instant, TaskId, TaskState, WorkflowStatus};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, QueryResult};

pub use condition::stalled;
use condition::{Direction, Look};
pub use wanted::TaskSearch;

use crate::{Queue, Result, Task, database::binds};

/// Lists count no further than this.
pub const COUNTED: u64 = 10_000;
/// The counts beside the states of a list go no further than this.
pub const COUNTED_PER_STATE: u64 = 1_000;

/// Where a task stands: while neither its attempt nor its status changes, nothing has been done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    pub id: TaskId,
    pub attempt: i32,
    pub status: WorkflowStatus,
}

impl Stand {
    fn read(row: &QueryResult) -> Result<Stand, DbErr> {
        Ok(Stand {
            id: row.try_get("", "id")?,
            attempt: row.try_get("", "attempt")?,
            status: row.try_get("", "workflow_status")?,
        })
    }

    /// Whether it is where it was. One that was about to begin has begun.
    fn is_still(&self, before: &Stand) -> bool {
        let same = self.status == before.status || self.status.is_running() && before.status.is_running();
        self.id == before.id && self.attempt == before.attempt && same
    }
}

/// A page of tasks, with the instant at which their states hold.
#[derive(Clone, Debug)]
pub struct TaskPage {
    pub tasks: Vec<Task>,
    pub more: bool,
    /// Counted up to [`COUNTED`].
    pub total: u64,
    pub now: Instant,
}

impl Queue {
    /// A page of tasks. For one owner the index is `queued_task_owner`, for a kind `queued_task_kind`, for a process
    /// `task_attempt_process`, for those that ended `queued_task_ended`, for a span of time `queued_task_created`, for a cause `task_failure_cause`, and for the states those that name them.
    pub async fn tasks(&self, search: &TaskSearch) -> Result<TaskPage> {
        let db = self.db();
        let now = db.now().await?;
        let total = self.count_tasks(search, now, COUNTED).await?;
        let mut tasks = self.page(search, now).await?;
        let more = tasks.len() as u64 > search.limit;
        tasks.truncate(search.limit as usize);
        Ok(TaskPage { tasks, more, total, now })
    }

    /// How many tasks there are in each of these groups of states, each counted up to [`COUNTED_PER_STATE`] and one more.
    pub async fn counts_by_state(&self, search: &TaskSearch, groups: &[&[TaskState]]) -> Result<Vec<u64>> {
        let db = self.db();
        let now = db.now().await?;
        let mut look = Look::new(self, search, now);
        let mut parts = Vec::new();
        for (at, states) in groups.iter().enumerate() {
            let search = TaskSearch { states: states.to_vec(), after: None, newest: None, ..search.clone() };
            let rows = look.rows(&search, "1 AS one", None, COUNTED_PER_STATE + 1);
            parts.push(format!("SELECT {at} AS place, COUNT(*) AS n FROM ({rows}) AS group{at}"));
        }
        let rows = db.reader().query_all_raw(look.statement(&parts.join(" UNION ALL "))).await?;
        let mut counts = vec![0; groups.len()];
        for row in rows {
            let (place, n): (i32, i64) = (row.try_get("", "place")?, row.try_get("", "n")?);
            if let Some(count) = counts.get_mut(place.unsigned_abs() as usize) {
                *count = n.unsigned_abs();
            }
        }
        Ok(counts)
    }

    /// How many tasks match, counted up to `most` and one more.
    pub async fn count_tasks(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<u64> {
        let db = self.db();
        let search = TaskSearch { after: None, ..search.clone() };
        let mut look = Look::new(self, &search, now);
        let rows = look.rows(&search, "1 AS one", None, most + 1);
        let statement = look.statement(&format!("SELECT COUNT(*) AS n FROM ({rows}) AS counted"));
        let row = db.reader().query_one_raw(statement).await?;
        let n: i64 = row.ok_or_else(|| DbErr::RecordNotFound("count".to_owned()))?.try_get("", "n")?;
        Ok(n.unsigned_abs())
    }

    /// How many tasks match that are newer than this one, counted up to `most` and one more.
    pub async fn count_newer(&self, search: &TaskSearch, than: TaskId, now: Instant, most: u64) -> Result<u64> {
        self.count_tasks(&TaskSearch { newer: Some(than), ..search.clone() }, now, most).await
    }

    /// How many people, or steps, of the oldest `most` tasks that match have no outcome.
    pub async fn open_in(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<u64> {
        let db = self.db();
        let mut look = Look::new(self, search, now);
        let open = "t.submit_order, COALESCE(t.total, 0) - t.succeeded - t.skipped - t.failed - t.uncertain AS open";
        let rows = look.rows(search, open, Some(Direction::Oldest), most);
        let sql = format!("SELECT CAST(COALESCE(SUM(open), 0) AS bigint) AS n FROM ({rows}) AS tasks");
        let row = db.reader().query_one_raw(look.statement(&sql)).await?;
        let n: i64 = row.ok_or_else(|| DbErr::RecordNotFound("sum".to_owned()))?.try_get("", "n")?;
        Ok(n.max(0).unsigned_abs())
    }

    /// How many of these tasks are in each state at an instant.
    pub async fn states_among(
        &self,
        connection: &impl ConnectionTrait,
        ids: &[TaskId],
        now: Instant,
    ) -> Result<Vec<(TaskState, u64)>> {
        let mut values = vec![now.into()];
        let states = TaskState::ALL.iter().enumerate();
        let cases: Vec<String> =
            states.map(|(at, state)| format!("WHEN {} THEN {at}", condition::in_state(*state, "$1"))).collect();
        let sql = format!(
            "SELECT place, COUNT(*) AS n FROM (SELECT CASE {} END AS place FROM queued_task t WHERE {}) AS placed
             WHERE place IS NOT NULL GROUP BY place ORDER BY place",
            cases.join(" "),
            binds::one_of(&mut values, "t.id", ids.iter().copied())
        );
        let mut found = Vec::new();
        for row in connection.query_all_raw(self.db().statement(&sql, values)).await? {
            let (place, n): (i32, i64) = (row.try_get("", "place")?, row.try_get("", "n")?);
            let state = usize::try_from(place).ok().and_then(|place| TaskState::ALL.get(place));
            found.extend(state.map(|state| (*state, n.unsigned_abs())));
        }
        Ok(found)
    }

    /// Which of these tasks are stalled.
    pub async fn stalled_among(&self, ids: &[TaskId]) -> Result<Vec<TaskId>> {
        let search = TaskSearch { stalled: true, only: Some(ids.to_vec()), ..TaskSearch::default() };
        let db = self.db();
        self.matching(db.reader(), &search, db.now().await?, ids.len() as u64).await
    }

    /// The ids of the oldest `most` tasks that match.
    pub async fn matching(
        &self,
        connection: &impl ConnectionTrait,
        search: &TaskSearch,
        now: Instant,
        most: u64,
    ) -> Result<Vec<TaskId>> {
        let mut look = Look::new(self, search, now);
        let sql = look.rows(search, "t.id, t.submit_order", Some(Direction::Oldest), most);
        let rows = connection.query_all_raw(look.statement(&sql)).await?;
        Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, DbErr>>()?)
    }

    /// Where the oldest `most` tasks that match stand.
    pub async fn stands(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<Vec<Stand>> {
        let mut look = Look::new(self, search, now);
        let chosen = "t.id, t.submit_order, t.attempt, t.workflow_status";
        let sql = look.rows(search, chosen, Some(Direction::Oldest), most);
        let rows = self.db().reader().query_all_raw(look.statement(&sql)).await?;
        Ok(rows.iter().map(Stand::read).collect::<Result<_, _>>()?)
    }

    /// Those of these tasks that stand where they stood; they do so until the transaction ends.
    pub async fn unchanged(&self, txn: &DatabaseTransaction, stood: &[Stand]) -> Result<Vec<TaskId>> {
        let db = self.db();
        let mut values = Vec::new();
        let these = binds::one_of(&mut values, "id", stood.iter().map(|stand| stand.id));
        let lock = if db.is_postgres() { "FOR UPDATE" } else { "" };
        let sql = format!("SELECT id, attempt, workflow_status FROM queued_task WHERE {these} ORDER BY id {lock}");
        let rows = txn.query_all_raw(db.statement(&sql, values)).await?;
        let now: HashMap<TaskId, Stand> =
            rows.iter().map(|row| Stand::read(row).map(|stand| (stand.id, stand))).collect::<Result<_, _>>()?;
        let still = |stood: &&Stand| now.get(&stood.id).is_some_and(|stand| stand.is_still(stood));
        Ok(stood.iter().filter(still).map(|stood| stood.id).collect())
    }

    /// One task more than a page.
    async fn page(&self, search: &TaskSearch, now: Instant) -> Result<Vec<Task>> {
        let mut look = Look::new(self, search, now);
        let order = if search.oldest_first { Direction::Oldest } else { Direction::Newest };
        let sql = look.rows(search, "t.*", Some(order), search.limit + 1);
        let rows = self.db().reader().query_all_raw(look.statement(&sql)).await?;
        Ok(rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }
}

/// The state people see, at an instant.
pub fn state_of(task: &Task, now: Instant) -> TaskState {
    match task.workflow_status {
        WorkflowStatus::Queued if task.trigger_date <= now => TaskState::Waiting,
        WorkflowStatus::Queued if task.failures > 0 || task.attempt > 0 => TaskState::Retrying,
        WorkflowStatus::Queued if task.held => TaskState::Held,
        WorkflowStatus::Queued => TaskState::Scheduled,
        WorkflowStatus::Scheduling | WorkflowStatus::Executing => TaskState::Running,
        WorkflowStatus::Completed if task.failed + task.uncertain > 0 => TaskState::DoneWithProblems,
        WorkflowStatus::Completed => TaskState::Done,
        WorkflowStatus::Failure => TaskState::Failed,
        WorkflowStatus::Error => TaskState::CouldNotStart,
        WorkflowStatus::Abandoned if task.abandoned_by == Some(task.owner_id) => TaskState::Cancelled,
        WorkflowStatus::Abandoned => TaskState::Abandoned,
    }
}
