//! Puts a task into the queue, inside the caller's transaction: it exists exactly if the caller's other writes do. There is
//! no other way in.

use model::{AccountId, WorkflowStatus};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter};

use crate::{Enqueued, Error, Idempotency, NewTask, Queue, Result, Task, TaskColumn, TaskEntity, Transaction, random};

const INSERT: &str = "INSERT INTO queued_task (
        id, submit_order, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
        execution_component_name, execution_spec, execution_state, workflow_status, trigger_date, in_line,
        attempt, progressed, failures, max_failures, crashes, rescued, priority,
        idempotency_key, request_hash, total, succeeded, skipped, failed, uncertain, held, parent_task_id)
    SELECT $1, $15,
        created, $2, created, $2, $2, $3, $4, $5, '{}', $16, COALESCE($6, created),
        $17 AND COALESCE($6, created) <= created,
        0, FALSE, 0, $7, 0, FALSE, $8, $9, $10, $11, 0, 0, 0, 0, $13, $12
    FROM (SELECT $14 AS created) AS clock WHERE TRUE
    ON CONFLICT DO NOTHING
    RETURNING *";

impl Queue {
    /// Adds the task within `txn`. Call [`Queue::announce`] once that is committed.
    pub async fn enqueue(&self, txn: &Transaction, new: NewTask) -> Result<Enqueued> {
        let executor = self.inner.registry.get(&new.kind).ok_or_else(|| Error::UnknownKind(new.kind.clone()))?;
        executor.build(&new.spec).map_err(|why| Error::BadSpec { kind: new.kind.clone(), why })?;
        let id = new.id.unwrap_or_else(random::new_id);
        let (key, hash) = new.idempotency.clone().map(|i| (i.key, i.request_hash)).unzip();
        let status = if new.unapproved { WorkflowStatus::Unapproved } else { WorkflowStatus::Queued };
        let db = self.db();
        let statement = db.composed(
            INSERT,
            [
                id.into(),
                new.owner_id.into(),
                new.run_as_id.into(),
                new.kind.clone().into(),
                new.spec.to_string().into(),
                new.trigger_date.into(),
                (self.inner.settings.max_failures as i32).into(),
                new.priority.into(),
                key.clone().into(),
                hash.clone().into(),
                new.total.into(),
                new.parent_task_id.into(),
                new.held.into(),
                db.instant(),
                db.next_in("queued_task", "submit_order"),
                status.name().into(),
                (status == WorkflowStatus::Queued).into(),
            ],
        );
        if let Some(row) = txn.query_one_raw(statement).await? {
            return Ok(Enqueued::New(Task::from_query_result(&row, "")?));
        }
        let existing = match &new.idempotency {
            Some(idempotency) => find_request(txn, new.owner_id, idempotency).await?,
            None => None,
        };
        let existing = match existing {
            Some(existing) => Some(existing),
            None => TaskEntity::find_by_id(id).filter(TaskColumn::OwnerId.eq(new.owner_id)).one(txn).await?,
        };
        existing.map(Enqueued::Existing).ok_or(Error::NoSuchTask)
    }

    /// The task that this owner's request became before, if it was made before.
    pub async fn find_request(&self, owner_id: AccountId, idempotency: &Idempotency) -> Result<Option<Task>> {
        find_request(self.db().reader(), owner_id, idempotency).await
    }
}

async fn find_request(
    connection: &impl ConnectionTrait,
    owner_id: AccountId,
    idempotency: &Idempotency,
) -> Result<Option<Task>> {
    let found = TaskEntity::find()
        .filter(TaskColumn::OwnerId.eq(owner_id))
        .filter(TaskColumn::IdempotencyKey.eq(idempotency.key.as_str()))
        .one(connection)
        .await?;
    match found {
        Some(task) if task.request_hash.as_deref() != Some(&idempotency.request_hash) => Err(Error::KeyReused),
        found => Ok(found),
    }
}
