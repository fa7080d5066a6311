//! A copy of a SQLite database while it is in use.

use std::path::Path;

use sea_orm::{ConnectionTrait, DbErr};

use crate::{Database, Result};

/// Writes a whole and consistent copy to a file that is not there yet. Others go on reading and writing meanwhile.
pub async fn backup(db: &Database, to: &Path) -> Result<()> {
    if db.is_postgres() {
        return Err(DbErr::Custom("a PostgreSQL database is backed up with pg_dump".to_owned()).into());
    }
    let path = to.to_str().ok_or_else(|| DbErr::Custom("the file's name is not text".to_owned()))?;
    db.writer().execute_raw(db.statement("VACUUM INTO $1", [path.into()])).await?;
    // It holds accounts.
    #[cfg(unix)]
    std::fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .map_err(|error| DbErr::Custom(format!("the copy can be read by others: {error}")))?;
    Ok(())
}
