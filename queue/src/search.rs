//! Looks for tasks: a page of them, how many there are in each state, and which of them a verb would reach.
//!
//! Whatever is asked, the answer is bounded: counts end at a limit, and each condition that not every task has is looked up in
//! an index of its own. The statuses stand in the text of a statement and not among its values, since SQLite takes a partial
//! index only for what it can see.

use model::{Instant, TaskState, WorkflowStatus};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use uuid::Uuid;

use crate::{Database, Queue, Result, Task};

/// Lists count no further than this.
pub const COUNTED: u64 = 10_000;
/// The counts beside the states of a list go no further than this.
pub const COUNTED_PER_STATE: u64 = 1_000;
/// The most failures among which a text is searched, the latest first.
const SEARCHED: i64 = 5_000;
/// An id may be older than its task by this much, in milliseconds: a preview's becomes its task's.
const OLDER: i64 = 3_600_000;

/// Which tasks, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskSearch {
    pub owner_id: Option<Uuid>,
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    /// Some attempt was made by this process.
    pub process: Option<String>,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: bool,
    /// The last attempt failed of this cause.
    pub cause: Option<String>,
    /// Some attempt failed with these words in its error, since `since`.
    pub error: Option<String>,
    /// Ended at or after this instant.
    pub ended_since: Option<Instant>,
    /// Submitted at or after this instant.
    pub since: Option<Instant>,
    /// Submitted before this instant.
    pub until: Option<Instant>,
    /// These and no others, whatever else is asked.
    pub only: Option<Vec<Uuid>>,
    /// The last task of the page before.
    pub after: Option<Uuid>,
    /// Newer than this task.
    pub newer: Option<Uuid>,
    /// Up to this task, and none that is newer.
    pub newest: Option<Uuid>,
    pub limit: u64,
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
    /// `task_attempt_process`, for those that ended `queued_task_ended`, for a cause `task_failure_cause`, and for the states those that name them.
    pub async fn tasks(&self, search: &TaskSearch) -> Result<TaskPage> {
        let db = &self.inner.db;
        let now = db.now().await?;
        let total = self.count_tasks(search, now, COUNTED).await?;
        let mut tasks = self.page(search, now).await?;
        let more = tasks.len() as u64 > search.limit;
        tasks.truncate(search.limit as usize);
        Ok(TaskPage { tasks, more, total, now })
    }

    /// How many tasks there are in each of these groups of states, each counted up to [`COUNTED_PER_STATE`] and one more.
    pub async fn counts_by_state(&self, search: &TaskSearch, groups: &[&[TaskState]]) -> Result<Vec<u64>> {
        let db = &self.inner.db;
        let now = db.now().await?;
        let mut values = Vec::new();
        let mut parts = Vec::new();
        for (at, states) in groups.iter().enumerate() {
            let search = TaskSearch { states: states.to_vec(), after: None, newest: None, ..search.clone() };
            let (from, condition) = self.condition(&search, now, &mut values);
            parts.push(format!(
                "SELECT {at} AS place, COUNT(*) AS n FROM (SELECT 1 AS one FROM {from} WHERE {condition} LIMIT {}) AS c{at}",
                COUNTED_PER_STATE + 1
            ));
        }
        let rows = db.reader().query_all_raw(db.statement(&parts.join(" UNION ALL "), values)).await?;
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
        let db = &self.inner.db;
        let search = TaskSearch { after: None, ..search.clone() };
        let mut values = Vec::new();
        let (from, condition) = self.condition(&search, now, &mut values);
        let sql = format!(
            "SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM {from} WHERE {condition} LIMIT {}) AS counted",
            most + 1
        );
        let row = db.reader().query_one_raw(db.statement(&sql, values)).await?;
        let n: i64 = row.ok_or_else(|| DbErr::RecordNotFound("count".to_owned()))?.try_get("", "n")?;
        Ok(n.unsigned_abs())
    }

    /// How many tasks match that are newer than this one, counted up to `most` and one more.
    pub async fn count_newer(&self, search: &TaskSearch, than: Uuid, now: Instant, most: u64) -> Result<u64> {
        self.count_tasks(&TaskSearch { newer: Some(than), ..search.clone() }, now, most).await
    }

    /// How many people, or steps, of the oldest `most` tasks that match have no outcome.
    pub async fn open_in(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<u64> {
        let db = &self.inner.db;
        let mut values = Vec::new();
        let (from, condition) = self.condition(search, now, &mut values);
        let sql = format!(
            "SELECT CAST(COALESCE(SUM(open), 0) AS bigint) AS n FROM (
                SELECT COALESCE(t.total, 0) - t.succeeded - t.skipped - t.failed - t.uncertain AS open
                FROM {from} WHERE {condition} ORDER BY t.id LIMIT {most}) AS tasks"
        );
        let row = db.reader().query_one_raw(db.statement(&sql, values)).await?;
        let n: i64 = row.ok_or_else(|| DbErr::RecordNotFound("sum".to_owned()))?.try_get("", "n")?;
        Ok(n.max(0).unsigned_abs())
    }

    /// Which of these tasks are stalled.
    pub async fn stalled_among(&self, ids: &[Uuid]) -> Result<Vec<Uuid>> {
        let search = TaskSearch { stalled: true, only: Some(ids.to_vec()), ..TaskSearch::default() };
        let db = &self.inner.db;
        self.matching(db.reader(), &search, db.now().await?, ids.len() as u64).await
    }

    /// The ids of the oldest `most` tasks that match.
    pub async fn matching(
        &self,
        connection: &impl ConnectionTrait,
        search: &TaskSearch,
        now: Instant,
        most: u64,
    ) -> Result<Vec<Uuid>> {
        let mut values = Vec::new();
        let (from, condition) = self.condition(search, now, &mut values);
        let sql = format!("SELECT t.id FROM {from} WHERE {condition} ORDER BY t.id LIMIT {most}");
        let rows = connection.query_all_raw(self.inner.db.statement(&sql, values)).await?;
        Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, DbErr>>()?)
    }

    /// One task more than a page.
    async fn page(&self, search: &TaskSearch, now: Instant) -> Result<Vec<Task>> {
        let db = &self.inner.db;
        let mut values = Vec::new();
        let (from, condition) = self.condition(search, now, &mut values);
        // Of a process, its attempts are walked along; otherwise the tasks are.
        let order = if search.process.is_some() { "a.task_id" } else { "t.id" };
        let sql = format!("SELECT t.* FROM {from} WHERE {condition} ORDER BY {order} DESC LIMIT {}", search.limit + 1);
        let rows = db.reader().query_all_raw(db.statement(&sql, values)).await?;
        Ok(rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }

    /// The tables and the condition of a search, whose values are added to those of the statement.
    fn condition(&self, search: &TaskSearch, now: Instant, values: &mut Vec<Value>) -> (String, String) {
        let db = &self.inner.db;
        let mut all = Vec::new();
        let mut add = |value: Value| {
            values.push(value);
            format!("${}", values.len())
        };
        let mut from = "queued_task t".to_owned();
        if let Some(process) = &search.process {
            from = "task_attempt a JOIN queued_task t ON t.id = a.task_id".to_owned();
            let process = add(process.as_str().into());
            // Whoever tried twice counts once.
            all.push(format!(
                "a.process = {process} AND NOT EXISTS (SELECT 1 FROM task_attempt later
                    WHERE later.task_id = a.task_id AND later.attempt > a.attempt AND later.process = {process})"
            ));
        }
        if let Some(owner) = search.owner_id {
            all.push(format!("t.owner_id = {}", add(owner.into())));
        }
        if let Some(kind) = &search.kind {
            all.push(format!("t.execution_component_name = {}", add(kind.as_str().into())));
        }
        if let Some(since) = search.since {
            let first = add(first_id_at(since.timestamp_millis() - OLDER).into());
            all.push(format!("t.id >= {first} AND t.created_date >= {}", add(since.into())));
        }
        if let Some(ended) = search.ended_since {
            all.push(format!("t.workflow_stopped_date >= {}", add(ended.into())));
        }
        if let Some(until) = search.until {
            let first = add(first_id_at(until.timestamp_millis() + 1).into());
            all.push(format!("t.id < {first} AND t.created_date < {}", add(until.into())));
        }
        if let Some(after) = search.after {
            all.push(format!("t.id < {}", add(after.into())));
        }
        if let Some(newer) = search.newer {
            all.push(format!("t.id > {}", add(newer.into())));
        }
        if let Some(newest) = search.newest {
            all.push(format!("t.id <= {}", add(newest.into())));
        }
        if let Some(only) = &search.only {
            let ids: Vec<String> = only.iter().map(|id| add((*id).into())).collect();
            all.push(if ids.is_empty() { "1 = 0".to_owned() } else { format!("t.id IN ({})", ids.join(", ")) });
        }
        if let Some(cause) = &search.cause {
            all.push(format!(
                "t.id IN (SELECT task_id FROM task_failure WHERE fingerprint = {0}) AND EXISTS (
                    SELECT 1 FROM task_failure f
                    WHERE f.task_id = t.id AND f.attempt = t.attempt AND f.fingerprint = {0})",
                add(cause.as_str().into())
            ));
        }
        if let Some(words) = &search.error {
            let pattern = words.to_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
            let pattern = add(format!("%{pattern}%").into());
            let since = search.since.map(|since| format!("WHERE failed_date >= {}", add(since.into())));
            all.push(format!(
                "t.id IN (SELECT e.task_id FROM task_attempt e JOIN (SELECT task_id, attempt FROM task_failure {}
                        ORDER BY failed_date DESC LIMIT {SEARCHED}) AS f
                    ON f.task_id = e.task_id AND f.attempt = e.attempt
                    WHERE LOWER(e.error_code || ': ' || e.detail) LIKE {pattern} ESCAPE '!')",
                since.unwrap_or_default()
            ));
        }
        if search.stalled {
            let lease = add(self.inner.settings.lease.as_secs_f64().into());
            all.push(stalled(db, "t", &lease));
        }
        if !search.states.is_empty() {
            let now = add(now.into());
            let any: Vec<String> = search.states.iter().map(|state| in_state(*state, &now)).collect();
            all.push(format!("({})", any.join(" OR ")));
        }
        let condition = if all.is_empty() { "TRUE".to_owned() } else { all.join(" AND ") };
        (from, condition)
    }
}

/// The condition that the task of this alias is with a process that is silent, or past its deadline: nobody should be long in
/// this state, since any live process takes it back. `lease` is in seconds.
pub fn stalled(db: &Database, alias: &str, lease: &str) -> String {
    // Where there is one process only, it does not beat: the lock file says that it is there.
    let alive = if db.is_postgres() {
        format!("AND p.heartbeat_date > {{after:-{lease}}}")
    } else {
        format!("AND {lease} > 0")
    };
    format!(
        "({alias}.scheduled_by_process IS NOT NULL AND ({alias}.deadline < {{now}} OR NOT EXISTS (
            SELECT 1 FROM process p WHERE p.id = {alias}.scheduled_by_process {alive})))"
    )
}

/// The first id that could have been made in that millisecond since 1970.
fn first_id_at(millisecond: i64) -> Uuid {
    Uuid::from_u128(u128::from(millisecond.max(0).unsigned_abs()) << 80)
}

/// The state people see, at an instant (product.md, States as people see them).
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

/// What the index `queued_task_ill` is of, in the words of its definition: SQLite takes a partial index only if it finds them, and
/// does not see that one of these states is among them.
const ILL: &str = "t.workflow_status IN ('FAILURE', 'ERROR', 'ABANDONED')";

/// The same rule as [`state_of`], as a condition on `t`; `now` is the instant.
fn in_state(state: TaskState, now: &str) -> String {
    match state {
        TaskState::Waiting => format!("(t.workflow_status = 'QUEUED' AND t.trigger_date <= {now})"),
        TaskState::Retrying => {
            format!("(t.workflow_status = 'QUEUED' AND t.trigger_date > {now} AND (t.failures > 0 OR t.attempt > 0))")
        }
        TaskState::Scheduled => untouched(now, "NOT t.held"),
        TaskState::Held => untouched(now, "t.held"),
        // The process is set exactly while a task is in one of these, and there is an index of it.
        TaskState::Running => {
            "(t.scheduled_by_process IS NOT NULL AND t.workflow_status IN ('SCHEDULING', 'EXECUTING'))".to_owned()
        }
        TaskState::Done => "(t.workflow_status = 'COMPLETED' AND t.failed + t.uncertain = 0)".to_owned(),
        TaskState::DoneWithProblems => "(t.workflow_status = 'COMPLETED' AND t.failed + t.uncertain > 0)".to_owned(),
        TaskState::Failed => format!("({ILL} AND t.workflow_status = 'FAILURE')"),
        TaskState::CouldNotStart => format!("({ILL} AND t.workflow_status = 'ERROR')"),
        TaskState::Cancelled => {
            format!("({ILL} AND t.workflow_status = 'ABANDONED' AND t.abandoned_by = t.owner_id)")
        }
        TaskState::Abandoned => format!(
            "({ILL} AND t.workflow_status = 'ABANDONED' AND (t.abandoned_by IS NULL OR t.abandoned_by <> t.owner_id))"
        ),
    }
}

fn untouched(now: &str, held: &str) -> String {
    format!("(t.workflow_status = 'QUEUED' AND t.trigger_date > {now} AND t.failures = 0 AND t.attempt = 0 AND {held})")
}
