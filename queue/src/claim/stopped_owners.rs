//! Whose tasks stand still: nothing of theirs is claimed. There are rows of those alone who have something unfinished, so that they are
//! few however many have ever left.

use model::{AccountId, Instant};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait,
    sea_query::OnConflict,
};

use crate::{
    Database,
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
