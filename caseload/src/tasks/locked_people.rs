//! The people whom a chunk treats together: locked, and with the instant from which they are.
//!
//! Another task may change them until the lock is there, so an instant from before it could be older than what that task has
//! written. What is written to a part therefore carries [`Part::at`], and there is no part without the lock.

use model::Instant;
use queue::{Chunk, Database, Transaction};
use sea_orm::DbErr;

use crate::tasks::ledger_range::Range;

/// A range of positions whose people nobody else changes until the chunk ends.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub db: &'a Database,
    pub txn: &'a Transaction,
    pub range: Range,
    /// When it happens to them: after everything that others have written to them.
    pub at: Instant,
}

impl<'a> Part<'a> {
    /// Locks the people of a range, in one order, so that two tasks with the same people wait for each other instead of
    /// deadlocking. SQLite has one writer anyway.
    pub async fn lock(chunk: &Chunk<'a>, range: Range) -> Result<Part<'a>, DbErr> {
        let (db, txn) = (chunk.db, chunk.txn);
        let sql = "SELECT id FROM person WHERE id IN (
                SELECT person_id FROM task_person WHERE task_id = $1 AND position > $2 AND position <= $3)
             ORDER BY id FOR UPDATE";
        let values = [range.task_id.into(), range.after.into(), range.to.into()];
        db.lock_rows(txn, db.statement(sql, values)).await?;
        Ok(Part { db, txn, range, at: db.now_in(txn).await? })
    }

    /// The part in two, unless it is one person.
    pub fn halves(self) -> Option<(Part<'a>, Part<'a>)> {
        let (first, second) = self.range.halves()?;
        Some((Part { range: first, ..self }, Part { range: second, ..self }))
    }
}
