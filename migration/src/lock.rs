//! The lock around the steps. It is held by something that ends with the process, so that a crash leaves no lock behind.

use std::{fs::File, path::PathBuf};

use sea_orm_migration::DbErr;
use sqlx::{Connection, PgConnection};

/// The advisory lock's key: any number nobody else uses.
const KEY: i64 = 0x0d0c_6e74_0001;

pub enum MigrationLock {
    Postgres(PgConnection),
    File(File),
}

/// Takes the lock for the database at `url`, waiting for its holder.
pub async fn acquire(url: &str) -> Result<MigrationLock, DbErr> {
    if url.starts_with("postgres") {
        let mut connection = PgConnection::connect(url).await.map_err(failed)?;
        sqlx::query("SELECT pg_advisory_lock($1)").bind(KEY).execute(&mut connection).await.map_err(failed)?;
        return Ok(MigrationLock::Postgres(connection));
    }
    let path = lock_path(url);
    let file = tokio::task::spawn_blocking(move || {
        let file = File::create(path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    })
    .await
    .map_err(failed)?
    .map_err(failed)?;
    Ok(MigrationLock::File(file))
}

impl MigrationLock {
    /// Lets the next one go on.
    pub async fn release(self) -> Result<(), DbErr> {
        match self {
            MigrationLock::Postgres(connection) => connection.close().await.map_err(failed),
            MigrationLock::File(file) => file.unlock().map_err(failed),
        }
    }
}

fn lock_path(url: &str) -> PathBuf {
    let path = url.trim_start_matches("sqlite:").trim_start_matches("//").split('?').next().unwrap_or_default();
    PathBuf::from(format!("{path}.migrate-lock"))
}

fn failed(error: impl std::fmt::Display) -> DbErr {
    DbErr::Custom(format!("the migration lock: {error}"))
}
