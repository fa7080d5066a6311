//! The tasks that came from one, and those that it came from.

use std::collections::HashMap;

use model::{TaskId, WorkflowStatus};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use crate::{Database, Queue, Result, Task, TaskColumn as Column, TaskEntity, inspect::tasks::with_end};

/// The most tasks that are said to have come from one.
pub const CHILDREN: u64 = 50;

impl Queue {
    /// The tasks that came from this one, the first submitted first, and no more than [`CHILDREN`] of them. The index is
    /// `queued_task_parent`.
    pub async fn children(&self, id: TaskId) -> Result<Vec<Task>> {
        let children = TaskEntity::find().filter(Column::ParentTaskId.eq(id)).order_by_asc(Column::SubmitOrder);
        Ok(children.limit(CHILDREN).all(self.db().reader()).await?)
    }

    /// How many that came from this one have ended.
    pub async fn ended_children(&self, id: TaskId) -> Result<u64> {
        let ended =
            TaskEntity::find().filter(Column::ParentTaskId.eq(id)).filter(Column::WorkflowStatus.is_in(with_end(true)));
        Ok(ended.count(self.db().reader()).await?)
    }
}

/// How many people the tasks of a kind that came from each of these have succeeded with, whatever became of the tasks.
pub async fn succeeded_after(db: &Database, ids: &[TaskId], kind: &str) -> Result<HashMap<TaskId, u64>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT parent_task_id, CAST(SUM(succeeded) AS BIGINT) AS people FROM queued_task
         WHERE execution_component_name = $1 AND $2 GROUP BY parent_task_id";
    let of_these = Expr::col("parent_task_id").is_in(ids.iter().copied());
    let rows = db.reader().query_all_raw(db.composed(sql, [kind.into(), of_these])).await?;
    let of = |row: &sea_orm::QueryResult| {
        let people: i64 = row.try_get("", "people")?;
        Ok((row.try_get("", "parent_task_id")?, people.unsigned_abs()))
    };
    rows.iter().map(of).collect()
}

/// The tasks of a kind that came from any of these and are under way, or went through without a failure.
pub async fn children_that_count(
    connection: &impl ConnectionTrait,
    ids: &[TaskId],
    kind: &str,
) -> Result<Vec<Task>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let went_through =
        Condition::all().add(Column::WorkflowStatus.eq(WorkflowStatus::Completed)).add(Column::Failed.eq(0));
    let counts = Condition::any().add(Column::WorkflowStatus.is_in(with_end(false))).add(went_through);
    TaskEntity::find()
        .filter(Column::ParentTaskId.is_in(ids.iter().copied()))
        .filter(Column::ExecutionComponentName.eq(kind))
        .filter(counts)
        .order_by_asc(Column::SubmitOrder)
        .all(connection)
        .await
}

/// A query for the ids of this task, of those that it came from, and of all that came from any of these.
pub fn family(task: TaskId) -> Expr {
    Expr::cust_with_exprs(
        "WITH RECURSIVE above (id, parent) AS (
            SELECT id, parent_task_id FROM queued_task WHERE id = $1
            UNION ALL SELECT t.id, t.parent_task_id FROM above CROSS JOIN queued_task t WHERE t.id = above.parent),
        family (id) AS (
            SELECT id FROM above
            UNION SELECT t.id FROM family CROSS JOIN queued_task t WHERE t.parent_task_id = family.id)
        SELECT id FROM family",
        [task.into()],
    )
}

/// A query for the ids of the tasks of the same kind that have the same origin as this one, by whichever of them: without itself
/// and those that it came from.
pub fn repetitions(task: TaskId) -> Expr {
    Expr::cust_with_exprs(
        "WITH RECURSIVE earlier AS (
            SELECT id, parent_task_id, execution_component_name AS kind FROM queued_task WHERE id = $1
            UNION ALL
            SELECT o.id, o.parent_task_id, earlier.kind FROM queued_task o
            JOIN earlier ON o.id = earlier.parent_task_id AND o.execution_component_name = earlier.kind
        ), family AS (
            SELECT id, kind FROM earlier
            UNION
            SELECT c.id, family.kind FROM queued_task c
            JOIN family ON c.parent_task_id = family.id AND c.execution_component_name = family.kind
        ) SELECT id FROM family WHERE id NOT IN (SELECT id FROM earlier)",
        [task.into()],
    )
}
