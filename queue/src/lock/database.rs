//! Locks as rows of `scheduler_lock`. Each verb is one statement in a transaction of its own: a lock never depends on what
//! else its holder is doing.

use std::time::Duration;

use async_trait::async_trait;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait,
    Select,
    sea_query::{Expr, ExprTrait},
};

use super::provider::{LockProvider, LockRequest, LockRow, LockToken};
use crate::{
    Database, Result, Transaction,
    entity::scheduler_lock::{Column, Entity},
    random,
};

/// Locks that all processes on a database share.
pub struct DatabaseLocks {
    db: Database,
}

impl DatabaseLocks {
    pub fn new(db: Database) -> DatabaseLocks {
        DatabaseLocks { db }
    }
}

#[async_trait]
impl LockProvider for DatabaseLocks {
    async fn acquire(&self, holder: &str, request: &LockRequest) -> Result<Option<LockToken>> {
        let (token, at_most) = (random::secret_id::<LockToken>(), request.at_most.as_secs_f64());
        // When the answer is lost, nobody knows whether it was taken; if so, it ends by its time.
        let taken = self
            .db
            .write_statement(self.db.composed(
                "INSERT INTO scheduler_lock (name, lock_until, locked_at, locked_by, token, renewals, at_most)
                 SELECT $1, $5, $6, $3, $4, 0, $2 WHERE TRUE
                 ON CONFLICT (name) DO UPDATE SET lock_until = excluded.lock_until, locked_at = excluded.locked_at,
                    locked_by = excluded.locked_by, token = excluded.token, renewed_date = NULL, renewals = 0,
                    at_most = excluded.at_most
                 WHERE scheduler_lock.lock_until <= excluded.locked_at",
                [
                    request.name.clone().into(),
                    at_most.into(),
                    holder.into(),
                    token.into(),
                    self.db.instant_after(at_most),
                    self.db.instant(),
                ],
            ))
            .await?;
        Ok((taken == 1).then_some(token))
    }

    async fn release(&self, name: &str, token: LockToken, at_least: Duration) -> Result<bool> {
        let db = &self.db;
        let earliest = db.seconds_after(Expr::col("locked_at"), at_least.as_secs_f64());
        let sql = "UPDATE scheduler_lock SET lock_until = $3 WHERE name = $1 AND token = $2 AND lock_until > $4";
        let parts = [name.into(), token.into(), db.later_of(db.instant(), earliest), db.instant()];
        Ok(db.write_statement(db.composed(sql, parts)).await? == 1)
    }

    async fn extend(&self, name: &str, token: LockToken, at_most: Duration) -> Result<bool> {
        let db = &self.db;
        let sql = "UPDATE scheduler_lock SET lock_until = $3, renewed_date = $4, renewals = renewals + 1
                   WHERE name = $1 AND token = $2 AND lock_until > $4";
        let parts = [name.into(), token.into(), db.instant_after(at_most.as_secs_f64()), db.instant()];
        Ok(db.write_statement(db.composed(sql, parts)).await? == 1)
    }

    async fn list(&self) -> Result<Vec<LockRow>> {
        let all = rows(&self.db).order_by_asc(Column::Name).into_query();
        let all = self.db.build(&all);
        let rows = self.db.reader().query_all_raw(all).await?;
        Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
    }

    async fn break_open(&self, name: &str) -> Result<bool> {
        let txn = self.db.begin_write().await?;
        let broken = break_open(&self.db, &txn, name).await?;
        self.db.commit(txn).await?;
        Ok(broken.is_some())
    }
}

/// Takes a lock from whoever holds it, in the caller's transaction. Gives the lock as it was; `None`: nobody held it.
pub async fn break_open(db: &Database, txn: &Transaction, name: &str) -> Result<Option<LockRow>> {
    let held = rows(db)
        .filter(Column::Name.eq(name))
        .filter(Expr::col(Column::LockUntil).gt(db.instant()))
        .lock_exclusive()
        .into_query();
    let held = db.build(&held);
    let Some(row) = txn.query_one_raw(held).await? else { return Ok(None) };
    let broken = Entity::update_many()
        .col_expr(Column::LockUntil, db.instant())
        .col_expr(Column::Token, random::secret_id::<LockToken>().into())
        .filter(Column::Name.eq(name));
    txn.execute_raw(db.build(&broken.into_query())).await?;
    Ok(Some(read(&row)?))
}

/// Locks, and whether anybody holds them.
fn rows(db: &Database) -> Select<Entity> {
    Entity::find().expr_as(Expr::col(Column::LockUntil).gt(db.instant()), "held")
}

fn read(row: &QueryResult) -> Result<LockRow, DbErr> {
    Ok(LockRow {
        name: row.try_get("", "name")?,
        lock_until: row.try_get("", "lock_until")?,
        locked_at: row.try_get("", "locked_at")?,
        locked_by: row.try_get("", "locked_by")?,
        held: row.try_get("", "held")?,
        renewed_date: row.try_get("", "renewed_date")?,
        renewals: row.try_get::<i32>("", "renewals")?.unsigned_abs(),
        at_most: Duration::from_secs_f64(row.try_get::<f64>("", "at_most")?.max(0.0)),
    })
}
