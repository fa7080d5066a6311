//! The tasks that are not over. There are partial indexes of them; SQLite, which would rather go through all tasks there ever
//! were, is told which.

use std::collections::HashMap;

use model::{AccountId, TaskId};
use sea_orm::{
    ConnectionTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{Database, Result, Transaction, database::compose::literal, self_test};

/// A query for the id, the attempt, the total, the kind and the owner of each open task.
pub fn tasks() -> Expr {
    Expr::cust(
        "SELECT id, attempt, total, execution_component_name AS kind, owner_id
         FROM queued_task {by queued_task_due} WHERE workflow_status = 'QUEUED'
         UNION ALL SELECT id, attempt, total, execution_component_name AS kind, owner_id
         FROM queued_task {by queued_task_process}
         WHERE scheduled_by_process IS NOT NULL AND workflow_status {is running}
         UNION ALL SELECT id, attempt, total, execution_component_name AS kind, owner_id
         FROM queued_task {by queued_task_unapproved} WHERE workflow_status = 'UNAPPROVED'",
    )
}

/// A query for the id, the kind and the owner of each task that waits for an approval.
pub fn unapproved() -> Expr {
    Expr::cust(
        "SELECT id, execution_component_name AS kind, owner_id
         FROM queued_task {by queued_task_unapproved} WHERE workflow_status = 'UNAPPROVED'",
    )
}

/// How many tasks of an owner wait for an approval, as the transaction sees them and counted up to `most`.
pub async fn unapproved_of(db: &Database, txn: &Transaction, owner: AccountId, most: u64) -> Result<u64> {
    let sql = "SELECT COUNT(*) AS count FROM (
            SELECT 1 AS one FROM queued_task {by queued_task_unapproved}
            WHERE owner_id = $1 AND workflow_status = 'UNAPPROVED' LIMIT $2) AS few";
    let row = txn.query_one_raw(db.composed(sql, [owner.into(), most.cast_signed().into()])).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get::<i64>("", "count"))?.unsigned_abs())
}

/// How many tasks of an owner wait, as the transaction sees them and counted up to `most`. Self-tests do not count.
pub async fn waiting_of(db: &Database, txn: &Transaction, owner: AccountId, most: u64) -> Result<u64> {
    // The kind stands in the text, as in the index that this is counted by and that no claim can use.
    let sql = "SELECT COUNT(*) AS count FROM (
            SELECT 1 AS one FROM queued_task t WHERE t.owner_id = $1 AND t.workflow_status = 'QUEUED'
              AND t.execution_component_name <> $2 LIMIT $3) AS few";
    let parts = [owner.into(), literal(self_test::KIND), most.cast_signed().into()];
    let row = txn.query_one_raw(db.composed(sql, parts)).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get::<i64>("", "count"))?.unsigned_abs())
}

/// How many open tasks each owner has. No more than `most` that wait are counted, of all owners together.
pub async fn by_owner(db: &Database, most: u64) -> Result<HashMap<AccountId, u64>> {
    let sql = "SELECT owner_id, COUNT(*) AS n FROM (
            SELECT owner_id FROM queued_task WHERE workflow_status = 'QUEUED' LIMIT $1) AS waiting
         GROUP BY owner_id
         UNION ALL SELECT owner_id, COUNT(*) AS n FROM queued_task {by queued_task_process}
         WHERE scheduled_by_process IS NOT NULL GROUP BY owner_id";
    let mut open = HashMap::new();
    for row in db.reader().query_all_raw(db.statement(sql, [most.cast_signed().into()])).await? {
        *open.entry(row.try_get("", "owner_id")?).or_default() += row.try_get::<i64>("", "n")?.unsigned_abs();
    }
    Ok(open)
}

/// The open tasks about more than so many people, but this one and those of these kinds, the latest first: their ids, and
/// how long what they were asked for is, in bytes. The index is `queued_task_large`, whose number `people` has to be.
pub async fn large(
    db: &Database,
    people: u64,
    except: TaskId,
    kinds: &[&str],
    most: u64,
) -> Result<Vec<(TaskId, u64)>> {
    let sql = "SELECT id, CAST(LENGTH(execution_spec) AS bigint) AS length FROM queued_task {by queued_task_large}
         WHERE workflow_status {is in queue} AND total > $1 AND id <> $2
           AND $3 ORDER BY id DESC LIMIT $4";
    let of_others = Expr::col("execution_component_name").is_not_in(kinds.iter().copied());
    let parts = [literal(people), except.into(), of_others, literal(most)];
    let rows = db.reader().query_all_raw(db.composed(sql, parts)).await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get::<i64>("", "length")?.unsigned_abs()))).collect()
}
