//! Looks for tasks: a page of them, how many there are in each state, and which of them a verb would reach.
//!
//! Whatever is asked, the answer is bounded: counts end at a limit, and each condition that not every task has is looked up in
//! an index of its own.

mod condition;
mod criteria;

use std::collections::HashMap;

use model::{Instant, TaskId, TaskState, WorkflowStatus, task::TaskGroup};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, FromQueryResult, QueryResult,
    sea_query::{Asterisk, CaseStatement, Expr, ExprTrait, Func, Order, Query, SelectStatement},
};

use condition::{SearchQuery, in_state, task};
pub use criteria::TaskSearch;

use crate::{
    Queue, Result, Task, TaskColumn as Column, TaskEntity, Transaction,
    database::compose::{literal, union_all},
};

/// Lists count no further than this.
pub const COUNTED: u64 = 10_000;
/// The counts beside the states of a list go no further than this.
pub const COUNTED_PER_STATE: u64 = 1_000;

/// Where a task stands: while neither its attempt nor its status changes, nothing has been done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskVersion {
    pub id: TaskId,
    pub attempt: i32,
    pub status: WorkflowStatus,
}

impl TaskVersion {
    fn read(row: &QueryResult) -> Result<TaskVersion, DbErr> {
        Ok(TaskVersion {
            id: row.try_get("", "id")?,
            attempt: row.try_get("", "attempt")?,
            status: row.try_get("", "workflow_status")?,
        })
    }

    /// Whether it is where it was. One that was about to begin has begun.
    fn is_still(&self, before: &TaskVersion) -> bool {
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
        let now = self.db().now().await?;
        let of =
            |states: &&[TaskState]| TaskSearch { states: states.to_vec(), after: None, newest: None, ..search.clone() };
        let searches: Vec<TaskSearch> = groups.iter().map(of).collect();
        self.counts(&searches, now, COUNTED_PER_STATE).await
    }

    /// How many tasks match each of these searches, which look for the same error and the same cause; each counted up to `most`
    /// and one more.
    pub(super) async fn counts(&self, searches: &[TaskSearch], now: Instant, most: u64) -> Result<Vec<u64>> {
        let Some(first) = searches.first() else { return Ok(Vec::new()) };
        let look = SearchQuery::new(self, first, now);
        let parts = (0_i32..).zip(searches).map(|(place, search)| {
            let rows = look.rows(search, one, None, most + 1);
            let mut count = Query::select();
            count.expr_as(literal(place), "place").expr_as(Expr::col(Asterisk).count(), "n");
            count.from_subquery(rows, format!("group{place}")).take()
        });
        let counts = union_all(parts);
        let mut found = vec![0; searches.len()];
        for row in self.db().reader().query_all_raw(look.statement(counts)).await? {
            let (place, n): (i32, i64) = (row.try_get("", "place")?, row.try_get("", "n")?);
            if let Some(count) = found.get_mut(place.unsigned_abs() as usize) {
                *count = n.unsigned_abs();
            }
        }
        Ok(found)
    }

    /// How many tasks match, counted up to `most` and one more.
    pub async fn count_tasks(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<u64> {
        let search = TaskSearch { after: None, ..search.clone() };
        Ok(self.counts(&[search], now, most).await?.into_iter().sum())
    }

    /// How many tasks match that are newer than this one, counted up to `most` and one more.
    pub async fn count_newer(&self, search: &TaskSearch, than: TaskId, now: Instant, most: u64) -> Result<u64> {
        self.count_tasks(&TaskSearch { newer: Some(than), ..search.clone() }, now, most).await
    }

    /// How many people, or steps, of the oldest `most` tasks that match have no outcome.
    pub async fn open_in(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<u64> {
        let look = SearchQuery::new(self, search, now);
        let rows = look.rows(search, open, Some(Order::Asc), most);
        let mut sum = Query::select();
        sum.expr_as(Expr::cust("CAST(COALESCE(SUM(open), 0) AS bigint)"), "n").from_subquery(rows, "tasks");
        let row = self.db().reader().query_one_raw(look.statement(sum)).await?;
        let n: i64 = row.ok_or_else(|| DbErr::RecordNotFound("sum".to_owned()))?.try_get("", "n")?;
        Ok(Ord::max(n, 0).unsigned_abs())
    }

    /// How many of these tasks are in each state at an instant.
    pub async fn states_among(
        &self,
        connection: &impl ConnectionTrait,
        ids: &[TaskId],
        now: Instant,
    ) -> Result<Vec<(TaskState, u64)>> {
        let mut placed = Query::select();
        placed
            .expr_as(place_at(now), PLACE)
            .from_as(TaskEntity, "t")
            .and_where(task(Column::Id).is_in(ids.iter().copied()));
        let mut counts = Query::select();
        counts.column(PLACE).expr_as(Expr::col(Asterisk).count(), "n").from_subquery(placed, "placed");
        counts.and_where(Expr::col(PLACE).is_not_null()).group_by_col(PLACE).order_by(PLACE, Order::Asc);
        let mut found = Vec::new();
        for row in connection.query_all_raw(self.db().build(&counts)).await? {
            let n: i64 = row.try_get("", "n")?;
            found.extend(state_read(&row)?.map(|state| (state, n.unsigned_abs())));
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
        let look = SearchQuery::new(self, search, now);
        let ids = look.rows(search, id, Some(Order::Asc), most);
        let rows = connection.query_all_raw(look.statement(ids)).await?;
        Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, DbErr>>()?)
    }

    /// Where the oldest `most` tasks that match stand.
    pub async fn stands(&self, search: &TaskSearch, now: Instant, most: u64) -> Result<Vec<TaskVersion>> {
        let look = SearchQuery::new(self, search, now);
        let stands = look.rows(search, stand, Some(Order::Asc), most);
        let rows = self.db().reader().query_all_raw(look.statement(stands)).await?;
        Ok(rows.iter().map(TaskVersion::read).collect::<Result<_, _>>()?)
    }

    /// Those of these tasks that stand where they stood; they do so until the transaction ends.
    pub async fn unchanged(&self, txn: &Transaction, stood: &[TaskVersion]) -> Result<Vec<TaskId>> {
        let mut locked = Query::select();
        locked.columns([Column::Id, Column::Attempt, Column::WorkflowStatus]).from(TaskEntity);
        locked.and_where(Column::Id.is_in(stood.iter().map(|stand| stand.id)));
        // SQLite has no such thing, and the transaction is the one that writes.
        locked.order_by(Column::Id, Order::Asc).lock_exclusive();
        let rows = txn.query_all_raw(self.db().build(&locked)).await?;
        let now: HashMap<TaskId, TaskVersion> =
            rows.iter().map(|row| TaskVersion::read(row).map(|stand| (stand.id, stand))).collect::<Result<_, _>>()?;
        let still = |stood: &&TaskVersion| now.get(&stood.id).is_some_and(|stand| stand.is_still(stood));
        Ok(stood.iter().filter(still).map(|stood| stood.id).collect())
    }

    /// One task more than a page.
    async fn page(&self, search: &TaskSearch, now: Instant) -> Result<Vec<Task>> {
        let look = SearchQuery::new(self, search, now);
        let order = if search.oldest_first { Order::Asc } else { Order::Desc };
        let page = look.rows(search, all, Some(order), search.limit + 1);
        let rows = self.db().reader().query_all_raw(look.statement(page)).await?;
        Ok(rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }
}

/// In how many tasks that match, of `most`, anybody failed, and how many people, or steps, these are.
pub async fn failed_in(queue: &Queue, search: &TaskSearch, most: u64) -> Result<(u64, u64)> {
    let look = SearchQuery::new(queue, search, queue.db().now().await?);
    let rows = look.rows(search, failed, None, most);
    let mut sum = Query::select();
    sum.expr_as(Expr::col(Asterisk).count(), "tasks");
    sum.expr_as(Expr::cust("CAST(COALESCE(SUM(failed), 0) AS bigint)"), "n").from_subquery(rows, "found");
    sum.and_where(Expr::col("failed").gt(literal(0)));
    let row = queue.db().reader().query_one_raw(look.statement(sum)).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("sum".to_owned()))?;
    let (tasks, n): (i64, i64) = (row.try_get("", "tasks")?, row.try_get("", "n")?);
    Ok((tasks.unsigned_abs(), n.unsigned_abs()))
}

/// How many of each kind nobody has begun, by where they count; of all together at most so many.
pub(super) async fn queued_by_kind(queue: &Queue, most: u64) -> Result<Vec<(String, TaskGroup, u64)>> {
    let db = queue.db();
    let mut placed = Query::select();
    placed.expr_as(task(Column::ExecutionComponentName), "kind").expr_as(place_at(db.now().await?), PLACE);
    placed.from_as(TaskEntity, "t");
    placed.and_where(task(Column::WorkflowStatus).eq(literal(WorkflowStatus::Queued.name()))).limit(most);
    let mut counts = Query::select();
    counts.columns(["kind", PLACE]).expr_as(Expr::col(Asterisk).count(), "n").from_subquery(placed, "placed");
    counts.and_where(Expr::col(PLACE).is_not_null()).group_by_columns(["kind", PLACE]);
    let mut found = Vec::new();
    for row in db.reader().query_all_raw(db.build(&counts)).await? {
        let (kind, n): (String, i64) = (row.try_get("", "kind")?, row.try_get("", "n")?);
        found.extend(state_read(&row)?.map(|state| (kind, state.group(), n.unsigned_abs())));
    }
    Ok(found)
}

/// In the order of [`TaskState::ALL`].
const PLACE: &str = "place";

/// The state of a task at an instant, as its place in [`TaskState::ALL`].
fn place_at(now: Instant) -> CaseStatement {
    (0_i32..)
        .zip(TaskState::ALL)
        .fold(CaseStatement::new(), |place, (at, state)| place.case(in_state(*state, &Expr::val(now)), literal(at)))
}

fn state_read(row: &QueryResult) -> Result<Option<TaskState>, DbErr> {
    let place: i32 = row.try_get("", PLACE)?;
    Ok(usize::try_from(place).ok().and_then(|place| TaskState::ALL.get(place)).copied())
}

fn one(query: &mut SelectStatement) {
    query.expr_as(literal(1), "one");
}

fn all(query: &mut SelectStatement) {
    query.column(("t", Asterisk));
}

fn id(query: &mut SelectStatement) {
    query.expr(task(Column::Id)).expr(task(Column::SubmitOrder));
}

fn stand(query: &mut SelectStatement) {
    id(query);
    query.expr(task(Column::Attempt)).expr(task(Column::WorkflowStatus));
}

fn failed(query: &mut SelectStatement) {
    query.expr_as(task(Column::Failed), "failed");
}

/// Those of its people, or steps, that have no outcome.
fn open(query: &mut SelectStatement) {
    let outcomes = [Column::Succeeded, Column::Skipped, Column::Failed, Column::Uncertain];
    let total = Expr::from(Func::coalesce([task(Column::Total), literal(0)]));
    let open = outcomes.into_iter().fold(total, |open, column| open.sub(task(column)));
    query.expr(task(Column::SubmitOrder)).expr_as(open, "open");
}

/// The state people see, at an instant.
pub fn state_of(task: &Task, now: Instant) -> TaskState {
    match task.workflow_status {
        WorkflowStatus::Unapproved => TaskState::Unapproved,
        WorkflowStatus::Queued if task.trigger_date <= now => TaskState::Waiting,
        WorkflowStatus::Queued if task.failures > 0 || task.attempt > 0 => TaskState::Retrying,
        WorkflowStatus::Queued if task.held => TaskState::Held,
        WorkflowStatus::Queued => TaskState::Scheduled,
        WorkflowStatus::Scheduling | WorkflowStatus::Executing => TaskState::Running,
        WorkflowStatus::Completed if task.failed + task.uncertain > 0 => TaskState::DoneWithProblems,
        WorkflowStatus::Completed => TaskState::Done,
        WorkflowStatus::Failure => TaskState::Failed,
        WorkflowStatus::Error => TaskState::CouldNotStart,
        WorkflowStatus::Abandoned if task.declined => TaskState::Declined,
        WorkflowStatus::Abandoned if task.abandoned_by == Some(task.owner_id) => TaskState::Cancelled,
        WorkflowStatus::Abandoned => TaskState::Abandoned,
    }
}
