//! SQLite for tests: copies of one migrated file, which a test program makes once.

use anyhow::{Context, Result};
use std::path::Path;
use tokio::sync::OnceCell;

static MIGRATED: OnceCell<Vec<u8>> = OnceCell::const_new();

const FILE: &str = "docket.db";

/// A database with the schema of now, in this folder.
pub async fn copied(folder: &Path) -> Result<String> {
    let file = folder.join(FILE);
    tokio::fs::write(&file, MIGRATED.get_or_try_init(migrated).await?).await?;
    Ok(crate::sqlite_url(&file))
}

/// The same as in another folder, where nobody is connected to it.
pub async fn copied_from(other: &Path, folder: &Path) -> Result<String> {
    let file = folder.join(FILE);
    tokio::fs::copy(other.join(FILE), &file).await?;
    Ok(crate::sqlite_url(&file))
}

/// What a migrated file holds. Its last connection is closed, so that nothing of it is left in the log beside it.
async fn migrated() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(FILE);
    migration::up(&crate::sqlite_url(&file)).await?;
    let log = file.with_extension("db-wal");
    anyhow::ensure!(!log.exists(), "the migrations left a connection open: {} is there", log.display());
    tokio::fs::read(&file).await.context("the migrated file")
}
