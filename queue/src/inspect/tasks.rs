//! Looks at tasks: one, some by their ids, their attempts, and the place in line.

use model::{AccountId, TaskId, WorkflowStatus, task::IN_LINE};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement, sea_query::Expr,
};

use crate::{
    Attempt, Database, Queue, Result, Task, TaskColumn as Column, TaskEntity,
    claim::{self, order},
    entity::task_attempt,
};

impl Queue {
    /// The statements by which a claim looks at who waits while this owner is at the limit, the first of which is to be run
    /// before the others; for tests of how they are answered.
    pub fn claim_looks(&self, full: AccountId) -> Vec<Statement> {
        claim::looks(self.db(), &self.inner.settings, &self.inner.registry, full)
    }

    pub async fn task(&self, id: TaskId) -> Result<Option<Task>> {
        Ok(TaskEntity::find_by_id(id).one(self.db().reader()).await?)
    }

    /// The attempts at a task, first one first.
    pub async fn attempts(&self, id: TaskId) -> Result<Vec<Attempt>> {
        let attempts = task_attempt::Entity::find()
            .filter(task_attempt::Column::TaskId.eq(id))
            .order_by_asc(task_attempt::Column::Attempt);
        Ok(attempts.all(self.db().reader()).await?)
    }

    /// These tasks, as far as they are there.
    pub async fn tasks_by_id(&self, ids: impl IntoIterator<Item = TaskId>) -> Result<Vec<Task>> {
        let ids: Vec<TaskId> = ids.into_iter().collect();
        self.tasks_in(self.db().reader(), &ids).await
    }

    /// The tasks whose id ends so. Whoever looks for one needs no more than two of them.
    pub async fn tasks_ending_in(&self, end: [u8; 4]) -> Result<Vec<TaskId>> {
        let db = self.db();
        let sql = "SELECT id FROM queued_task WHERE substr($2, 13) = $1 LIMIT 2";
        let parts = [end.to_vec().into(), db.bytes_of(Expr::col(Column::Id))];
        let rows = db.reader().query_all_raw(db.composed(sql, parts)).await?;
        rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
    }

    /// The same as the caller's transaction sees them.
    pub async fn tasks_in(&self, connection: &impl ConnectionTrait, ids: &[TaskId]) -> Result<Vec<Task>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(TaskEntity::find().filter(Column::Id.is_in(ids.iter().copied())).all(connection).await?)
    }

    /// The tasks of a kind that no process has, and none will have by itself.
    pub async fn resting(&self, connection: &impl ConnectionTrait, kind: &str) -> Result<Vec<TaskId>> {
        let resting = TaskEntity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::ExecutionComponentName.eq(kind))
            .filter(Column::WorkflowStatus.is_in(with_end(true)));
        Ok(resting.into_tuple().all(connection).await?)
    }

    /// How many tasks of this owner a process works on now.
    pub async fn running(&self, owner: AccountId) -> Result<u64> {
        let sql = "SELECT COUNT(*) AS n FROM queued_task {by queued_task_process}
                   WHERE scheduled_by_process IS NOT NULL AND owner_id = $1";
        let row = self.db().reader().query_one_raw(self.db().statement(sql, [owner.into()])).await?;
        Ok(row.map_or(Ok(0), |row| row.try_get::<i64>("", "n"))?.unsigned_abs())
    }

    /// The place in line of a task that is due, counted up to [`IN_LINE`]: 1 is claimed next. `None` when it is not waiting.
    pub async fn place_in_line(&self, task: &Task) -> Result<Option<u64>> {
        Ok(self.places_in_line(&[task]).await?.pop().flatten())
    }

    /// The place of each of these, by one look at the head of the line.
    pub async fn places_in_line(&self, tasks: &[&Task]) -> Result<Vec<Option<u64>>> {
        let waits = |task: &&Task| task.workflow_status == WorkflowStatus::Queued;
        let waiting: Vec<&Task> = tasks.iter().copied().filter(waits).collect();
        if waiting.is_empty() {
            return Ok(vec![None; tasks.len()]);
        }
        let statement = order::places(self.db(), &waiting, IN_LINE);
        let rows = self.db().reader().query_all_raw(statement).await?;
        let ahead = rows.iter().map(|row| row.try_get::<i64>("", "ahead")).collect::<Result<Vec<_>, _>>()?;
        let mut places = ahead.into_iter().map(|ahead| ahead.unsigned_abs().min(IN_LINE) + 1);
        Ok(tasks.iter().map(|task| if waits(task) { places.next() } else { None }).collect())
    }

    /// The statement by which [`Queue::places_in_line`] looks, for tests of how it is answered.
    pub fn place_look(&self, task: &Task) -> Statement {
        order::places(self.db(), &[task], IN_LINE)
    }
}

/// Whether somebody has paused the kind, or there is a task of it.
pub async fn has_seen(db: &Database, kind: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM queued_task WHERE execution_component_name = $1
               UNION ALL SELECT 1 FROM paused_kind WHERE kind = $1 LIMIT 1";
    Ok(db.reader().query_one_raw(db.statement(sql, [kind.into()])).await?.is_some())
}

/// Whether a task has failed of this cause, as far back as failures are kept.
pub async fn has_failed_of(db: &Database, fingerprint: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM task_failure WHERE fingerprint = $1 LIMIT 1";
    Ok(db.reader().query_one_raw(db.statement(sql, [fingerprint.into()])).await?.is_some())
}

/// The statuses of tasks that have ended, or of those that have not.
pub(super) fn with_end(ended: bool) -> impl Iterator<Item = WorkflowStatus> {
    WorkflowStatus::ALL.iter().copied().filter(move |status| status.is_finished() == ended)
}
