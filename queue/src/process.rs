//! This process as the queue knows it: an identity of its own for each start, registered before its first claim.

use sea_orm::{ConnectionTrait, DbErr};

use crate::{Database, Settings, random};

/// `<system_id>-<start>-<random>`, within the 150 characters of its columns.
pub fn identity(db: &Database, settings: &Settings) -> String {
    let started = db.clock().now().format("%Y%m%dT%H%M%S");
    let system: String = settings.system_id.chars().take(100).collect();
    format!("{system}-{started}-{}", random::suffix())
}

/// Makes the process known.
pub async fn register(db: &Database, settings: &Settings, id: &str) -> Result<(), DbErr> {
    let txn = db.begin_write().await?;
    txn.execute_raw(db.statement(
        "INSERT INTO process (id, system_id, host, version, started_date, heartbeat_date, slots, busy, stopping)
         VALUES ($1, $2, $3, $4, {now}, {now}, $5, 0, FALSE)",
        [
            id.into(),
            settings.system_id.clone().into(),
            settings.system_id.clone().into(),
            env!("CARGO_PKG_VERSION").into(),
            i64::from(settings.slots).into(),
        ],
    ))
    .await?;
    txn.commit().await
}

/// Says that the process takes nothing more.
pub async fn stopping(db: &Database, id: &str) -> Result<(), DbErr> {
    write(db, "UPDATE process SET stopping = TRUE, heartbeat_date = {now} WHERE id = $1", id).await
}

/// Forgets the process, at its end.
pub async fn forget(db: &Database, id: &str) -> Result<(), DbErr> {
    write(db, "DELETE FROM process WHERE id = $1", id).await
}

/// Forgets every other process. Only ever called by the one that has the database to itself.
pub async fn forget_others(db: &Database, id: &str) -> Result<(), DbErr> {
    write(db, "DELETE FROM process WHERE id <> $1", id).await
}

async fn write(db: &Database, sql: &str, id: &str) -> Result<(), DbErr> {
    let txn = db.begin_write().await?;
    txn.execute_raw(db.statement(sql, [id.into()])).await?;
    txn.commit().await
}
