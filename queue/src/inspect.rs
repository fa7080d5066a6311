//! Looks at tasks: one, a page of many, their attempts, and the place in line.

use model::{Instant, TaskState, WorkflowStatus};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Asterisk, Expr, ExprTrait, Func, Query},
};
use uuid::Uuid;

use crate::{Attempt, Queue, Result, Task, TaskColumn as Column, TaskEntity, entity::task_attempt};

/// Which tasks, newest first.
#[derive(Clone, Debug, Default)]
pub struct TaskSearch {
    pub owner_id: Option<Uuid>,
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    /// The last task of the page before.
    pub after: Option<Uuid>,
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

/// The most tasks that are said to have come from one.
const CHILDREN: u64 = 50;
/// Lists count no further than this.
pub const COUNTED: u64 = 10_000;

impl Queue {
    pub async fn task(&self, id: Uuid) -> Result<Option<Task>> {
        Ok(TaskEntity::find_by_id(id).one(self.inner.db.reader()).await?)
    }

    /// The attempts at a task, first one first.
    pub async fn attempts(&self, id: Uuid) -> Result<Vec<Attempt>> {
        let attempts = task_attempt::Entity::find()
            .filter(task_attempt::Column::TaskId.eq(id))
            .order_by_asc(task_attempt::Column::Attempt);
        Ok(attempts.all(self.inner.db.reader()).await?)
    }

    /// These tasks, as far as they are there.
    pub async fn tasks_by_id(&self, ids: impl IntoIterator<Item = Uuid>) -> Result<Vec<Task>> {
        Ok(TaskEntity::find().filter(Column::Id.is_in(ids)).all(self.inner.db.reader()).await?)
    }

    /// The tasks of a kind that no process has, and none will have by itself.
    pub async fn resting(&self, connection: &impl ConnectionTrait, kind: &str) -> Result<Vec<Uuid>> {
        let statuses = WorkflowStatus::ALL.iter().copied().filter(|status| status.is_finished());
        let resting = TaskEntity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::ExecutionComponentName.eq(kind))
            .filter(Column::WorkflowStatus.is_in(statuses));
        Ok(resting.into_tuple().all(connection).await?)
    }

    /// The tasks that came from this one, oldest first. The index is `queued_task_parent`.
    pub async fn children(&self, id: Uuid) -> Result<Vec<Task>> {
        let children = TaskEntity::find().filter(Column::ParentTaskId.eq(id)).order_by_asc(Column::Id);
        Ok(children.limit(CHILDREN).all(self.inner.db.reader()).await?)
    }

    /// A page of tasks. For one owner the index is `queued_task_owner`.
    pub async fn tasks(&self, search: &TaskSearch) -> Result<TaskPage> {
        let now = self.inner.db.now().await?;
        let mut matching = TaskEntity::find();
        if let Some(owner) = search.owner_id {
            matching = matching.filter(Column::OwnerId.eq(owner));
        }
        if let Some(kind) = &search.kind {
            matching = matching.filter(Column::ExecutionComponentName.eq(kind.as_str()));
        }
        if !search.states.is_empty() {
            let any = search.states.iter().fold(Condition::any(), |any, state| any.add(in_state(*state, now)));
            matching = matching.filter(any);
        }
        let reader = self.inner.db.reader();
        // A count of its own: the library's counts on past a limit.
        let counted =
            QuerySelect::query(&mut matching.clone().select_only().column(Column::Id).limit(COUNTED + 1)).take();
        let count = Query::select().expr(Func::count(Expr::col(Asterisk))).from_subquery(counted, "counted").take();
        let row = reader.query_one(&count).await?.ok_or_else(|| DbErr::RecordNotFound("count".into()))?;
        let total = row.try_get_by_index::<i64>(0)?.unsigned_abs();
        if let Some(after) = search.after {
            matching = matching.filter(Column::Id.lt(after));
        }
        let mut tasks = matching.order_by_desc(Column::Id).limit(search.limit + 1).all(reader).await?;
        let more = tasks.len() as u64 > search.limit;
        tasks.truncate(search.limit as usize);
        Ok(TaskPage { tasks, more, total, now })
    }

    /// How many tasks of this owner a process works on now.
    pub async fn running(&self, owner: Uuid) -> Result<u64> {
        let running = TaskEntity::find()
            .filter(Column::OwnerId.eq(owner))
            .filter(Column::WorkflowStatus.is_in([WorkflowStatus::Scheduling, WorkflowStatus::Executing]));
        Ok(running.count(self.inner.db.reader()).await?)
    }

    /// The place in line of a task that is due: 1 is claimed next. `None` when it is not waiting.
    pub async fn place_in_line(&self, task: &Task) -> Result<Option<u64>> {
        let db = &self.inner.db;
        let statement = db.statement(
            "SELECT COUNT(*) AS ahead FROM queued_task
             WHERE workflow_status = 'QUEUED' AND trigger_date <= {now} AND id <> $1
               AND (rescued > $2 OR (rescued = $2 AND (priority > $3 OR (priority = $3
                   AND (failures < $4 OR (failures = $4 AND id < $1))))))",
            [task.id.into(), task.rescued.into(), task.priority.into(), task.failures.into()],
        );
        if task.workflow_status != WorkflowStatus::Queued {
            return Ok(None);
        }
        let row = db.reader().query_one_raw(statement).await?.ok_or_else(|| DbErr::RecordNotFound("count".into()))?;
        let ahead: i64 = row.try_get("", "ahead")?;
        Ok(Some(ahead.unsigned_abs() + 1))
    }
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

/// The same rule as [`state_of`], as a condition.
fn in_state(state: TaskState, now: Instant) -> Condition {
    let status = |status: WorkflowStatus| Condition::all().add(Column::WorkflowStatus.eq(status));
    let problems = || Expr::col(Column::Failed).add(Expr::col(Column::Uncertain));
    match state {
        TaskState::Waiting => status(WorkflowStatus::Queued).add(Column::TriggerDate.lte(now)),
        TaskState::Retrying => status(WorkflowStatus::Queued)
            .add(Column::TriggerDate.gt(now))
            .add(Condition::any().add(Column::Failures.gt(0)).add(Column::Attempt.gt(0))),
        TaskState::Scheduled | TaskState::Held => status(WorkflowStatus::Queued)
            .add(Column::TriggerDate.gt(now))
            .add(Column::Failures.eq(0))
            .add(Column::Attempt.eq(0))
            .add(Column::Held.eq(state == TaskState::Held)),
        TaskState::Running => Condition::any()
            .add(Column::WorkflowStatus.eq(WorkflowStatus::Scheduling))
            .add(Column::WorkflowStatus.eq(WorkflowStatus::Executing)),
        TaskState::Done => status(WorkflowStatus::Completed).add(problems().eq(0)),
        TaskState::DoneWithProblems => status(WorkflowStatus::Completed).add(problems().gt(0)),
        TaskState::Failed => status(WorkflowStatus::Failure),
        TaskState::CouldNotStart => status(WorkflowStatus::Error),
        TaskState::Cancelled => {
            status(WorkflowStatus::Abandoned).add(Expr::col(Column::AbandonedBy).eq(Expr::col(Column::OwnerId)))
        }
        TaskState::Abandoned => status(WorkflowStatus::Abandoned).add(
            Condition::any()
                .add(Column::AbandonedBy.is_null())
                .add(Expr::col(Column::AbandonedBy).ne(Expr::col(Column::OwnerId))),
        ),
    }
}
