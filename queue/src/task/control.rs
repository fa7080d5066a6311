//! What people do to a task: give up, or try again. Conditional on its current state, so that of two there is one winner; in
//! the caller's transaction, so that it can leave its trace in the audit.

use model::{Instant, WorkflowStatus};
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, Value as Bound};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Error, Queue, Result, Task, claim::line::starts_at, database::binds, inspect::search::stalled, meters, task::fence,
    task::settle,
};

impl Queue {
    /// Lets a failed task go on with what is not done, with fresh budgets. The attempt number goes on growing, so that
    /// nothing of a former attempt passes the fence.
    pub async fn retry(&self, txn: &DatabaseTransaction, id: Uuid, by: Uuid) -> Result<Task> {
        self.act(
            txn,
            id,
            &format!(
                "UPDATE queued_task SET workflow_status = 'QUEUED', failures = 0, crashes = 0, rescued = FALSE,
                    {}, workflow_stopped_date = NULL, workflow_status_desc = NULL,
                    modified_date = {{now}}, modified_by = $2
                 WHERE id = $1 AND workflow_status IN ('FAILURE', 'ERROR') RETURNING *",
                starts_at("{now}")
            ),
            vec![id.into(), by.into()],
        )
        .await
    }

    /// Lets every one of these go on that has failed, as [`Queue::retry`] does, and those that wait to be tried again without
    /// the wait. Gives those that do; the others are left as they are.
    pub async fn retry_all(&self, txn: &DatabaseTransaction, ids: &[Uuid], by: Uuid) -> Result<Vec<Task>> {
        let fresh = |column: &str, value: &str| {
            format!("{column} = CASE WHEN workflow_status = 'QUEUED' THEN {column} ELSE {value} END")
        };
        let sql = format!(
            "UPDATE queued_task SET {}, {}, {}, {}, {}, workflow_stopped_date = NULL,
                workflow_status = 'QUEUED', modified_date = {{now}}, modified_by = $1
             WHERE (workflow_status IN ('FAILURE', 'ERROR')
                OR (workflow_status = 'QUEUED' AND trigger_date > {{now}} AND (failures > 0 OR attempt > 0)))",
            fresh("failures", "0"),
            fresh("crashes", "0"),
            fresh("rescued", "FALSE"),
            fresh("workflow_status_desc", "NULL"),
            starts_at("{now}")
        );
        self.act_on_all(txn, &sql, vec![by.into()], ids).await
    }

    /// Gives every one of these up for good that can be, as [`Queue::abandon`] does. Gives those that were.
    pub async fn abandon_all(
        &self,
        txn: &DatabaseTransaction,
        ids: &[Uuid],
        by: Uuid,
        reason: &str,
    ) -> Result<Vec<Task>> {
        let sql = "UPDATE queued_task SET workflow_status = 'ABANDONED', abandoned_by = $1, finish_reason = $2,
                workflow_stopped_date = {now}, scheduled_by_process = NULL, deadline = NULL,
                modified_date = {now}, modified_by = $1
             WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING', 'FAILURE', 'ERROR')";
        let tasks = self.act_on_all(txn, sql, vec![by.into(), reason.into()], ids).await?;
        settle::close_attempts(self.db(), txn, &tasks, "ABANDONED").await?;
        Ok(tasks)
    }

    /// Puts a stalled task back into the queue at once. `None`: its process is well, or it does not run.
    pub async fn take_from_stalled(&self, txn: &DatabaseTransaction, id: Uuid, by: Uuid) -> Result<Option<Task>> {
        let db = self.db();
        let sql = format!(
            "UPDATE queued_task SET workflow_status = 'QUEUED', rescued = TRUE, scheduled_by_process = NULL,
                deadline = NULL, modified_date = {{now}}, modified_by = $2
             WHERE id = $1 AND workflow_status IN ('SCHEDULING', 'EXECUTING') AND {} RETURNING *",
            stalled(db, "queued_task", "$3")
        );
        let lease = self.inner.settings.lease.as_secs_f64();
        let row = txn.query_one_raw(db.statement(&sql, [id.into(), by.into(), lease.into()])).await?;
        let Some(row) = row else { return Ok(None) };
        let task = Task::from_query_result(&row, "")?;
        settle::close_attempt(db, txn, &task, "RESCUED", None).await?;
        Ok(Some(task))
    }

    /// Moves the start of a task that nobody has begun.
    pub async fn reschedule(&self, txn: &DatabaseTransaction, id: Uuid, by: Uuid, start: Instant) -> Result<Task> {
        self.act(
            txn,
            id,
            &format!(
                "UPDATE queued_task SET {}, held = FALSE, modified_date = {{now}}, modified_by = $2
                 WHERE id = $1 AND workflow_status = 'QUEUED' AND failures = 0 AND attempt = 0 AND trigger_date > {{now}}
                 RETURNING *",
                starts_at("$3")
            ),
            vec![id.into(), by.into(), start.into()],
        )
        .await
    }

    /// Puts `by` in place of a word in the specs of all tasks, wherever it stands as a text of its own. A spec is never changed
    /// otherwise.
    pub async fn redact(&self, txn: &DatabaseTransaction, words: &[(String, String)]) -> Result<u64> {
        let mut changed = 0;
        for (word, by) in words {
            let (quoted, by) = (Value::from(word.as_str()).to_string(), Value::from(by.as_str()).to_string());
            let sql = "UPDATE queued_task SET execution_spec = REPLACE(execution_spec, $1, $2)
                       WHERE execution_spec LIKE $3 ESCAPE '!'";
            let pattern = quoted.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            let values = [quoted.into(), by.into(), format!("%{pattern}%").into()];
            changed += txn.execute_raw(self.db().statement(sql, values)).await?.rows_affected();
        }
        Ok(changed)
    }

    /// Lets the tasks of a kind that are not over, or that could go on after a retry, begin again from nothing: what they have made
    /// so far must not be used. Each is given with the last attempt that made anything.
    pub async fn begin_again(&self, txn: &DatabaseTransaction, kind: &str, by: Uuid) -> Result<Vec<Task>> {
        // Also of those that no attempt was made at: one that is about to begin waits for this, and sees what comes with it.
        let statement = self.db().statement(
            "UPDATE queued_task SET execution_state = '{}', succeeded = 0, skipped = 0, failed = 0, uncertain = 0,
                workflow_status = CASE WHEN workflow_status IN ('SCHEDULING', 'EXECUTING') THEN 'QUEUED' ELSE workflow_status END,
                scheduled_by_process = NULL, deadline = NULL, modified_date = {now}, modified_by = $2
             WHERE execution_component_name = $1
               AND workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING', 'FAILURE', 'ERROR') RETURNING *",
            [kind.into(), by.into()],
        );
        let rows = txn.query_all_raw(statement).await?;
        let tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, _>>()?;
        settle::close_attempts(self.db(), txn, &tasks, "PUT_BACK").await?;
        Ok(tasks)
    }

    /// Gives a task up for good. A running attempt notices at its next fence.
    pub async fn abandon(&self, txn: &DatabaseTransaction, id: Uuid, by: Uuid, reason: Option<&str>) -> Result<Task> {
        let task = self
            .act(
                txn,
                id,
                "UPDATE queued_task SET workflow_status = 'ABANDONED', abandoned_by = $2, finish_reason = $3,
                    workflow_stopped_date = {now}, scheduled_by_process = NULL, deadline = NULL,
                    modified_date = {now}, modified_by = $2
                 WHERE id = $1 AND workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING', 'FAILURE', 'ERROR')
                 RETURNING *",
                vec![id.into(), by.into(), reason.into()],
            )
            .await?;
        settle::close_attempt(self.db(), txn, &task, "ABANDONED", None).await?;
        Ok(task)
    }

    /// Keeps tasks of a kind from being claimed; those that run go on. False: it was paused already.
    pub async fn pause(&self, txn: &DatabaseTransaction, kind: &str, by: Uuid, reason: Option<&str>) -> Result<bool> {
        let db = self.db();
        self.inner.registry.get(kind).ok_or_else(|| Error::UnknownKind(kind.to_owned()))?;
        let paused = db.statement(
            "INSERT INTO paused_kind (kind, paused_date, paused_by, reason) VALUES ($1, {now}, $2, $3) ON CONFLICT DO NOTHING",
            [kind.into(), by.into(), reason.into()],
        );
        Ok(txn.execute_raw(paused).await?.rows_affected() == 1)
    }

    /// Lets tasks of a paused kind be claimed again. Call [`Queue::wake`] after the commit. False: it was not paused.
    pub async fn resume(&self, txn: &DatabaseTransaction, kind: &str) -> Result<bool> {
        let resumed = self.db().statement("DELETE FROM paused_kind WHERE kind = $1", [kind.into()]);
        Ok(txn.execute_raw(resumed).await?.rows_affected() == 1)
    }

    /// Runs an update of tasks on these alone, as [`Queue::act`] does on one.
    async fn act_on_all(
        &self,
        txn: &DatabaseTransaction,
        sql: &str,
        mut values: Vec<Bound>,
        ids: &[Uuid],
    ) -> Result<Vec<Task>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut locked = Vec::new();
        let named = binds::one_of(&mut locked, "id", ids.iter().copied());
        let lock = format!("SELECT id FROM queued_task WHERE {named} ORDER BY id {{for update}}");
        txn.execute_raw(self.db().statement(&lock, locked)).await?;
        let these = binds::one_of(&mut values, "id", ids.iter().copied());
        let sql = format!("{sql} AND {these} RETURNING *");
        let rows = txn.query_all_raw(self.db().statement(&sql, values)).await?;
        Ok(rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }

    /// Tells listeners, and whoever measures, of tasks that a caller has given up and committed.
    pub fn tell_given_up(&self, tasks: &[Task]) {
        for task in tasks {
            meters::finished(task);
            self.tell(task);
        }
    }

    /// Runs an update of a task, which is locked before, so that its instant is not from before what it waited for.
    async fn act(&self, txn: &DatabaseTransaction, id: Uuid, sql: &str, values: Vec<Bound>) -> Result<Task> {
        let task = fence::find_locked(txn, id).await?.ok_or(Error::NoSuchTask)?;
        if let Some(row) = txn.query_one_raw(self.db().statement(sql, values)).await? {
            return Ok(Task::from_query_result(&row, "")?);
        }
        Err(Error::Conflict(task.workflow_status))
    }
}

/// Whether [`Queue::retry`] would work in that state.
pub fn may_retry(status: WorkflowStatus) -> bool {
    status.may_become(WorkflowStatus::Queued) && !status.is_running()
}

/// Whether [`Queue::abandon`] would work in that state.
pub fn may_abandon(status: WorkflowStatus) -> bool {
    status.may_become(WorkflowStatus::Abandoned)
}
