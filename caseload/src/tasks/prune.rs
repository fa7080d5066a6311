//! What is kept for a while only: finished tasks with their ledgers, and what was picked or counted and never submitted.

use std::time::Duration;

use async_trait::async_trait;
use model::{Instant, TaskId, counted};
use queue::{
    Database, Result, TaskTable,
    lock::Lock,
    prune::{PruneTasks, close, in_batches},
    schedule::Work,
};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{
    files::store::Files,
    statement::{after, composed},
    submit::preview,
};

/// How long it is kept where an invitation went that nobody followed, in seconds.
const MISSED: f64 = 30.0 * 86_400.0;
/// Tasks whose ledgers are looked for at once.
const TASKS: i64 = 50;

/// Prunes tasks that ended longer ago than a retention, their ledgers first: a ledger without its task says nothing.
pub struct PruneFinished {
    db: Database,
    retention: Option<Duration>,
}

impl PruneFinished {
    pub fn new(db: Database, retention: Option<Duration>) -> PruneFinished {
        PruneFinished { db, retention }
    }
}

#[async_trait]
impl Work for PruneFinished {
    async fn fire(&self, lock: &Lock) -> Result<String> {
        let mut lines = 0;
        if let Some(retention) = self.retention {
            loop {
                let t = TaskTable("t");
                let old = "SELECT $1 AS id FROM $2 WHERE $3 AND $4 < $5
                     AND EXISTS (SELECT 1 FROM task_person p WHERE p.task_id = $1) ORDER BY $1 LIMIT $6";
                let long_ago = after(&self.db, -retention.as_secs_f64());
                let parts = [t.id(), t.table(), t.is_finished(), t.stopped_date(), long_ago, TASKS.into()];
                let rows = self.db.reader().query_all_raw(composed(&self.db, old, parts)).await?;
                let ids =
                    rows.iter().map(|row| row.try_get("", "id")).collect::<std::result::Result<Vec<TaskId>, _>>()?;
                if ids.is_empty() {
                    break;
                }
                for id in ids {
                    // From here on nobody retries it, so nobody misses those who are gone.
                    if !close(&self.db, id, retention).await? {
                        continue;
                    }
                    let sql = "DELETE FROM task_person WHERE task_id = $1 AND position IN (
                        SELECT position FROM task_person WHERE task_id = $1 ORDER BY position LIMIT $2)";
                    lines += in_batches(&self.db, |most| self.db.statement(sql, [id.into(), most.into()])).await?;
                    let sql = "DELETE FROM outbox WHERE task_id = $1 AND position IN (
                        SELECT position FROM outbox WHERE task_id = $1 ORDER BY position LIMIT $2)";
                    in_batches(&self.db, |most| self.db.statement(sql, [id.into(), most.into()])).await?;
                }
            }
        }
        let tasks = PruneTasks::new(self.db.clone(), self.retention).fire(lock).await?;
        Ok(format!("{tasks}, {}", counted(lines, "result", "results")))
    }
}

/// Prunes selections and previews that are too old to be used.
pub struct PruneUnused {
    db: Database,
}

impl PruneUnused {
    pub fn new(db: Database) -> PruneUnused {
        PruneUnused { db }
    }
}

#[async_trait]
impl Work for PruneUnused {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let db = &self.db;
        let expired = |sql: &'static str| move |most: i64| composed(db, sql, [db.instant(), most.into()]);
        let sql = "DELETE FROM selection WHERE id IN (SELECT id FROM selection WHERE expiry_date < $1 LIMIT $2)";
        let selections = in_batches(db, expired(sql)).await?;
        let sql = "DELETE FROM address_wish WHERE person_id IN (
            SELECT person_id FROM address_wish WHERE expiry_date < $1 LIMIT $2)";
        in_batches(db, expired(sql)).await?;
        // An invitation that was missed is sent again to where it went.
        let sql = "DELETE FROM password_link WHERE person_id IN (
            SELECT person_id FROM password_link WHERE expiry_date < $1 LIMIT $2)";
        let missed = |most: i64| composed(db, sql, [after(db, -MISSED), most.into()]);
        in_batches(db, missed).await?;
        let sql = "DELETE FROM prepared_import WHERE id IN (
            SELECT id FROM prepared_import WHERE expiry_date < $1 LIMIT $2)";
        in_batches(db, expired(sql)).await?;
        // Lines of lists whose ledger has gone.
        let sql = "DELETE FROM coach_wish WHERE task_id IN (
            SELECT DISTINCT w.task_id FROM coach_wish w WHERE NOT EXISTS (
                SELECT 1 FROM task_person tp WHERE tp.task_id = w.task_id) LIMIT $1)";
        in_batches(db, |most| db.statement(sql, [most.into()])).await?;
        // What imports found out that are over.
        let sql = "DELETE FROM import_choice WHERE task_id IN (
            SELECT DISTINCT c.task_id FROM import_choice c WHERE NOT EXISTS (
                SELECT 1 FROM $1 WHERE $2 = c.task_id AND ($3 OR $4)) LIMIT $5)";
        let t = TaskTable("t");
        let parts = |most: i64| [t.table(), t.id(), t.is_open(), t.has_failed(), most.into()];
        in_batches(db, |most| composed(db, sql, parts(most))).await?;
        let mut previews = 0;
        loop {
            let txn = self.db.begin_write().await?;
            let cleared = preview::clear_expired(&self.db, &txn).await?;
            self.db.commit(txn).await?;
            previews += cleared;
            if cleared == 0 {
                let selections = counted(selections, "selection", "selections");
                return Ok(format!("{selections}, {}", counted(previews, "preview", "previews")));
            }
        }
    }
}

/// Prunes what lies in the store beyond its use: files past their date, the objects they were composed of, and whatever ended
/// tasks left behind.
pub struct PruneFiles {
    db: Database,
    files: Files,
}

impl PruneFiles {
    pub fn new(db: Database, files: Files) -> PruneFiles {
        PruneFiles { db, files }
    }
}

#[async_trait]
impl Work for PruneFiles {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let stored = |error: object_store::Error| DbErr::Custom(error.to_string());
        let mut files = 0;
        let (now, t) = (self.db.now().await?, TaskTable("t"));
        for task in self.files.tasks().await.map_err(stored)? {
            let sql = "SELECT $1 OR $2 AS needed, e.path, i.id IS NOT NULL AS prepared FROM (SELECT 1 AS one) AS one
                 LEFT JOIN $3 ON $4 = $5 LEFT JOIN export e ON e.task_id = $5 AND e.expiry_date > $6
                 LEFT JOIN prepared_import i ON i.id = $5 AND i.expiry_date > $6";
            let parts = [t.is_open(), t.has_failed(), t.table(), t.id(), task.into(), self.db.instant()];
            let statement = composed(&self.db, sql, parts);
            let Some(row) = self.db.reader().query_one_raw(statement).await? else { continue };
            // An upload lies here a moment before its task is committed.
            if row.try_get::<Option<bool>>("", "needed")?.is_none() && is_fresh(task, now) {
                continue;
            }
            // It is not imported yet.
            if row.try_get("", "prepared")? {
                continue;
            }
            // A task that is not done may go on from its objects.
            if row.try_get::<Option<bool>>("", "needed")?.unwrap_or_default() {
                continue;
            }
            let published: Option<String> = row.try_get("", "path")?;
            files += self.files.delete_but(task, published.as_deref()).await.map_err(stored)?;
        }
        let old = "DELETE FROM export WHERE task_id IN (
            SELECT e.task_id FROM export e LEFT JOIN $1 ON $2 = e.task_id WHERE $2 IS NULL LIMIT $3)";
        in_batches(&self.db, |most| composed(&self.db, old, [t.table(), t.id(), most.into()])).await?;
        Ok(counted(files, "file", "files"))
    }
}

/// Whether an id was made within the last hour, as it says itself.
fn is_fresh(id: TaskId, now: Instant) -> bool {
    let made = id.uuid().get_timestamp().and_then(|made| i64::try_from(made.to_unix().0).ok());
    made.is_some_and(|made| now.timestamp() - made < 3_600)
}
