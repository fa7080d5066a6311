//! Looks at tasks: one, some by their ids, their attempts, and the place in line.

use model::WorkflowStatus;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use crate::{Attempt, Queue, Result, Task, TaskColumn as Column, TaskEntity, entity::task_attempt};

/// The most tasks that are said to have come from one.
const CHILDREN: u64 = 50;

impl Queue {
    pub async fn task(&self, id: Uuid) -> Result<Option<Task>> {
        Ok(TaskEntity::find_by_id(id).one(self.db().reader()).await?)
    }

    /// The attempts at a task, first one first.
    pub async fn attempts(&self, id: Uuid) -> Result<Vec<Attempt>> {
        let attempts = task_attempt::Entity::find()
            .filter(task_attempt::Column::TaskId.eq(id))
            .order_by_asc(task_attempt::Column::Attempt);
        Ok(attempts.all(self.db().reader()).await?)
    }

    /// These tasks, as far as they are there.
    pub async fn tasks_by_id(&self, ids: impl IntoIterator<Item = Uuid>) -> Result<Vec<Task>> {
        Ok(TaskEntity::find().filter(Column::Id.is_in(ids)).all(self.db().reader()).await?)
    }

    /// The same as the caller's transaction sees them.
    pub async fn tasks_in(&self, connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<Task>> {
        Ok(TaskEntity::find().filter(Column::Id.is_in(ids.iter().copied())).all(connection).await?)
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
        Ok(children.limit(CHILDREN).all(self.db().reader()).await?)
    }

    /// How many tasks of this owner a process works on now.
    pub async fn running(&self, owner: Uuid) -> Result<u64> {
        let running = TaskEntity::find()
            .filter(Column::OwnerId.eq(owner))
            .filter(Column::WorkflowStatus.is_in([WorkflowStatus::Scheduling, WorkflowStatus::Executing]));
        Ok(running.count(self.db().reader()).await?)
    }

    /// The place in line of a task that is due: 1 is claimed next. `None` when it is not waiting.
    pub async fn place_in_line(&self, task: &Task) -> Result<Option<u64>> {
        let db = self.db();
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
