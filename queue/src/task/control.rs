//! What people do to a task: give up, or try again. Conditional on its current state, so that of two there is one winner; in
//! the caller's transaction, so that it can leave its trace in the audit.

use model::{AccountId, Instant, TaskId, WorkflowStatus};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QueryResult, QuerySelect,
    QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict, Query},
};

use super::transition::{ABANDON, Mover, PUT_BACK, RETRY, TAKE_BACK};
use crate::{
    Database, Error, Queue, Result, Task, TaskColumn as Column, TaskEntity, TaskSearch, Transaction,
    claim::order::starts_at, database::compose::row_of, entity::paused_kind, metrics,
};

/// When a task is to start that nobody has begun.
#[derive(Clone, Copy, Debug)]
pub enum NewStart {
    At(Instant),
    /// At once, if it is held.
    HoldEnds,
}

impl Queue {
    /// Lets a failed task go on with what is not done, with fresh budgets.
    pub async fn retry(&self, txn: &Transaction, id: TaskId, by: AccountId) -> Result<Task> {
        let ids = [id];
        let before = self.lock(txn, &ids).await?.pop().ok_or(Error::NoSuchTask)?;
        let retry = RETRY.made_by(self.db(), Mover::Person { by, ids: &ids });
        let retried = retry.starting_at(self.db().instant()).make_one(txn).await?;
        retried.ok_or(Error::Conflict(before))
    }

    /// Lets every one of these go on that has failed, as [`Queue::retry`] does, and those that wait to be tried again without
    /// the wait. Gives those that do; the others are left as they are.
    pub async fn retry_all(&self, txn: &Transaction, ids: &[TaskId], by: AccountId) -> Result<Vec<Task>> {
        let db = self.db();
        self.lock(txn, ids).await?;
        let retry = RETRY.made_by(db, Mover::Person { by, ids }).starting_at(db.instant());
        let mut tasks = retry.make(txn).await?;
        // Not those of before, whose date is not later than now.
        let tried = Column::Failures.gt(0).or(Column::Attempt.gt(0));
        let mut hurry = Query::update();
        hurry.table(TaskEntity).returning_all().value(Column::ModifiedDate, db.instant());
        hurry.value(Column::ModifiedBy, by).values(starts_at(db.instant()));
        hurry.and_where(Column::Id.is_in(ids.iter().copied()));
        hurry.and_where(waits_until_later(db)).and_where(tried);
        tasks.extend(read(&txn.query_all_raw(db.build(&hurry)).await?)?);
        Ok(tasks)
    }

    /// Gives a task up for good. A running attempt notices at its next fence.
    pub async fn abandon(&self, txn: &Transaction, id: TaskId, by: AccountId, reason: Option<&str>) -> Result<Task> {
        let before = self.lock(txn, &[id]).await?.pop().ok_or(Error::NoSuchTask)?;
        let abandoned = self.give_up(txn, Mover::Person { by, ids: &[id] }, reason).await?.pop();
        abandoned.ok_or(Error::Conflict(before))
    }

    /// Gives every one of these up for good that can be, as [`Queue::abandon`] does. Gives those that were.
    pub async fn abandon_all(
        &self,
        txn: &Transaction,
        ids: &[TaskId],
        by: AccountId,
        reason: &str,
    ) -> Result<Vec<Task>> {
        self.lock(txn, ids).await?;
        self.give_up(txn, Mover::Person { by, ids }, Some(reason)).await
    }

    async fn give_up(&self, txn: &Transaction, mover: Mover<'_>, reason: Option<&str>) -> Result<Vec<Task>> {
        Ok(ABANDON.made_by(self.db(), mover).write(Column::FinishReason, reason).make(txn).await?)
    }

    /// Puts a stalled task back into the queue at once. `None`: its process is well, or it does not run.
    pub async fn take_from_stalled(&self, txn: &Transaction, id: TaskId, by: AccountId) -> Result<Option<Task>> {
        // Its process may come back, or move the deadline, until the row is locked.
        self.lock(txn, &[id]).await?;
        let stalled = TaskSearch { stalled: true, only: Some(vec![id]), ..TaskSearch::default() };
        let ids = self.matching(txn, &stalled, self.db().now_in(txn).await?, 1).await?;
        Ok(TAKE_BACK.made_by(self.db(), Mover::Person { by, ids: &ids }).make_one(txn).await?)
    }

    /// Moves the start of a task that nobody has begun. Of several who do, and of one who gives it up, one wins.
    pub async fn reschedule(&self, txn: &Transaction, id: TaskId, by: AccountId, to: NewStart) -> Result<Task> {
        let db = self.db();
        let (start, only) = match to {
            NewStart::At(start) => (start.into(), Expr::val(true)),
            NewStart::HoldEnds => (db.instant(), Expr::col(Column::Held)),
        };
        let before = self.lock(txn, &[id]).await?.pop().ok_or(Error::NoSuchTask)?;
        let mut moved = Query::update();
        moved.table(TaskEntity).returning_all().value(Column::ModifiedDate, db.instant()).value(Column::ModifiedBy, by);
        moved.values(starts_at(start)).value(Column::Held, false);
        moved.and_where(Column::Id.eq(id)).and_where(waits_until_later(db)).and_where(only);
        moved.and_where(Column::Failures.eq(0)).and_where(Column::Attempt.eq(0));
        let moved = read(&txn.query_all_raw(db.build(&moved)).await?)?.pop();
        moved.ok_or(Error::Conflict(before))
    }

    /// Lets the tasks of a kind that are not over, or that could go on after a retry, begin again from nothing: what they have made
    /// so far must not be used. Each is given with the last attempt that made anything.
    pub async fn begin_again(&self, txn: &Transaction, kind: &str, by: AccountId) -> Result<Vec<Task>> {
        let db = self.db();
        // Also those that no attempt was made at: one that is about to begin waits for this, and sees what comes with it.
        let mut reset = Query::update();
        reset.table(TaskEntity).returning_all().value(Column::ModifiedDate, db.instant()).value(Column::ModifiedBy, by);
        reset.value(Column::ExecutionState, "{}");
        reset.values(
            [Column::Succeeded, Column::Skipped, Column::Failed, Column::Uncertain].map(|count| (count, 0.into())),
        );
        reset.and_where(Column::ExecutionComponentName.eq(kind));
        reset.and_where(Column::WorkflowStatus.is_not_in([WorkflowStatus::Completed, WorkflowStatus::Abandoned]));
        let mut tasks = read(&txn.query_all_raw(db.build(&reset)).await?)?;
        let running = tasks.iter().filter(|task| task.workflow_status.is_running());
        let ids: Vec<TaskId> = running.map(|task| task.id).collect();
        let back = PUT_BACK.made_by(db, Mover::Person { by, ids: &ids }).make(txn).await?;
        tasks.retain(|task| !back.iter().any(|other| other.id == task.id));
        tasks.extend(back);
        Ok(tasks)
    }

    /// Keeps tasks of a kind from being claimed; those that run go on. False: it was paused already.
    pub async fn pause(&self, txn: &Transaction, kind: &str, by: AccountId, reason: Option<&str>) -> Result<bool> {
        let db = self.db();
        self.inner.registry.get(kind).ok_or_else(|| Error::UnknownKind(kind.to_owned()))?;
        let row = [
            (paused_kind::Column::Kind, kind.into()),
            (paused_kind::Column::PausedDate, db.instant()),
            (paused_kind::Column::PausedBy, by.into()),
            (paused_kind::Column::Reason, reason.into()),
        ];
        let paused = db.build(row_of(paused_kind::Entity, row).on_conflict(OnConflict::new().do_nothing().to_owned()));
        Ok(txn.execute_raw(paused).await?.rows_affected() == 1)
    }

    /// Lets tasks of a paused kind be claimed again. Call [`Queue::wake`] after the commit. False: it was not paused.
    pub async fn resume(&self, txn: &Transaction, kind: &str) -> Result<bool> {
        let resumed = paused_kind::Entity::delete_many().filter(paused_kind::Column::Kind.eq(kind));
        let resumed = self.db().build(&resumed.into_query());
        Ok(txn.execute_raw(resumed).await?.rows_affected() == 1)
    }

    /// Tells listeners, and whoever measures, of tasks that a caller has given up and committed.
    pub fn notify_given_up(&self, tasks: &[Task]) {
        for task in tasks {
            metrics::finished(task);
            self.notify(task);
        }
    }

    /// Locks tasks that somebody acts on, so that the instant of what follows is not from before what it waited for; in one order
    /// for all. Gives where they stand.
    async fn lock(&self, txn: &Transaction, ids: &[TaskId]) -> Result<Vec<WorkflowStatus>> {
        let these = TaskEntity::find().select_only().column(Column::WorkflowStatus);
        let these = these.filter(Column::Id.is_in(ids.iter().copied())).order_by_asc(Column::Id).lock_exclusive();
        Ok(these.into_tuple().all(txn).await?)
    }
}

/// That a task waits for a date that has not come.
fn waits_until_later(db: &Database) -> Expr {
    Column::WorkflowStatus.eq(WorkflowStatus::Queued).and(Expr::col(Column::TriggerDate).gt(db.instant()))
}

fn read(rows: &[QueryResult]) -> Result<Vec<Task>> {
    Ok(rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<_, _>>()?)
}

/// Whether [`Queue::retry`] would work in that state.
pub fn may_retry(status: WorkflowStatus) -> bool {
    RETRY.leads_from(status)
}

/// Whether [`Queue::abandon`] would work in that state.
pub fn may_abandon(status: WorkflowStatus) -> bool {
    ABANDON.leads_from(status)
}
