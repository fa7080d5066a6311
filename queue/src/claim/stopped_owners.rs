//! Whose tasks stand still: nothing of theirs is claimed. There are rows of those alone who have something unfinished, so that they are
//! few however many have ever left.

use model::{AccountId, Instant, TaskId, WorkflowStatus};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder,
    QueryResult, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, OnConflict, Query},
};

use crate::{
    Database, Task, TaskColumn, TaskEntity,
    database::compose::{literal, row_of},
    entity::stopped_owner::{Column, Entity},
    self_test,
};

/// Lets nothing more of this owner's be claimed, if anything of theirs is unfinished; what runs goes on.
pub async fn stop(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<(), DbErr> {
    if !has_unfinished(db, txn, owner).await? {
        return Ok(());
    }
    let row = [(Column::OwnerId, owner.into()), (Column::StoppedDate, db.instant())];
    let stopped = row_of(Entity, row).on_conflict(OnConflict::new().do_nothing().to_owned()).to_owned();
    txn.execute_raw(db.build(&stopped)).await.map(drop)
}

/// Lets this owner's tasks be claimed again. Call [`crate::Queue::wake`] after the commit.
pub async fn resume(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<(), DbErr> {
    let resumed = Entity::delete_many().filter(Column::OwnerId.eq(owner));
    txn.execute_raw(db.build(&resumed.into_query())).await.map(drop)
}

/// All of them, in a steady order.
pub async fn all(connection: &impl ConnectionTrait) -> Result<Vec<AccountId>, DbErr> {
    let owners = Entity::find().select_only().column(Column::OwnerId).order_by_asc(Column::OwnerId);
    owners.into_tuple().all(connection).await
}

/// Whose tasks stand still, how many wait of each and since when; the first `most`, whoever was stopped first.
pub async fn waiting(db: &Database, most: u64) -> Result<Vec<(AccountId, u64, Instant)>, DbErr> {
    let sql = "SELECT owner_id, stopped_date, n FROM (
            SELECT s.owner_id, s.stopped_date, (SELECT COUNT(*) FROM queued_task t
                WHERE t.owner_id = s.owner_id AND t.workflow_status = 'QUEUED' AND t.execution_component_name <> $1) AS n
            FROM stopped_owner s) AS stopped
         WHERE n > 0 ORDER BY stopped_date, owner_id LIMIT $2";
    let parts = [literal(self_test::KIND), most.cast_signed().into()];
    let read = |row: &QueryResult| {
        let waiting: i64 = row.try_get("", "n")?;
        Ok((row.try_get("", "owner_id")?, waiting.unsigned_abs(), row.try_get("", "stopped_date")?))
    };
    db.reader().query_all_raw(db.composed(sql, parts)).await?.iter().map(read).collect()
}

/// How many tasks of an owner wait; self-tests do not count.
pub async fn count_of(db: &Database, owner: AccountId) -> Result<u64, DbErr> {
    waiting_of(owner).count(db.reader()).await
}

/// The tasks of an owner that wait, the first `most` by their ids, locked until the transaction ends; self-tests stay where they are.
pub async fn tasks_of(txn: &impl ConnectionTrait, owner: AccountId, most: u64) -> Result<Vec<TaskId>, DbErr> {
    let waiting = waiting_of(owner).select_only().column(TaskColumn::Id).order_by_asc(TaskColumn::Id);
    waiting.limit(most).lock_exclusive().into_tuple().all(txn).await
}

/// Gives tasks that wait to another owner, as whom they run from then on; `by` does it. They keep their place in line and their start. What
/// they were submitted under is free again: the new owner may have used the same key. Gives them as they are then.
pub async fn hand_over(
    db: &Database,
    txn: &impl ConnectionTrait,
    tasks: &[TaskId],
    (to, by): (AccountId, AccountId),
) -> Result<Vec<Task>, DbErr> {
    let mut given = Query::update();
    given.table(TaskEntity).returning_all().value(TaskColumn::OwnerId, to).value(TaskColumn::RunAsId, to);
    given.value(TaskColumn::IdempotencyKey, Expr::null()).value(TaskColumn::RequestHash, Expr::null());
    given.value(TaskColumn::ModifiedBy, by).value(TaskColumn::ModifiedDate, db.instant());
    given.and_where(TaskColumn::Id.is_in(tasks.iter().copied()));
    given.and_where(TaskColumn::WorkflowStatus.eq(WorkflowStatus::Queued));
    let rows = txn.query_all_raw(db.build(&given)).await?;
    rows.iter().map(|row| Task::from_query_result(row, "")).collect()
}

/// Forgets that nothing of this owner's may be claimed, once nothing of theirs is left that could be.
pub async fn settle(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<(), DbErr> {
    match has_unfinished(db, txn, owner).await? {
        true => Ok(()),
        false => resume(db, txn, owner).await,
    }
}

/// The kind stands in the text, as in the index.
fn waiting_of(owner: AccountId) -> Select<TaskEntity> {
    TaskEntity::find()
        .filter(TaskColumn::OwnerId.eq(owner))
        .filter(Expr::col(TaskColumn::WorkflowStatus).eq(literal(WorkflowStatus::Queued.name())))
        .filter(Expr::col(TaskColumn::ExecutionComponentName).ne(literal(self_test::KIND)))
}

/// Whether anything of an owner's waits or runs; self-tests do not count. The condition is that of an index, as in
/// [`crate::unfinished::waiting_of`].
async fn has_unfinished(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<bool, DbErr> {
    let sql = "SELECT 1 FROM (
            SELECT 1 AS one FROM queued_task t WHERE t.owner_id = $1 AND t.workflow_status = 'QUEUED'
              AND t.execution_component_name <> $2
            UNION ALL SELECT 1 AS one FROM queued_task {by queued_task_process}
            WHERE scheduled_by_process IS NOT NULL AND owner_id = $1) AS unfinished LIMIT 1";
    Ok(txn.query_one_raw(db.composed(sql, [owner.into(), literal(self_test::KIND)])).await?.is_some())
}
