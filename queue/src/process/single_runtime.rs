//! Keeps a second runtime off a SQLite database, by a lock file beside it that ends with the process that holds it, however
//! it ends. On PostgreSQL any number of processes may run tasks.

use std::fs::File;

use sea_orm::DbErr;

use crate::{Database, Error, Result};

/// The right to run tasks on a SQLite database, until it is dropped.
pub struct Occupancy {
    _file: File,
}

/// Takes the right, or says who has it. Nothing on PostgreSQL, where it is not needed.
pub fn occupy(db: &Database) -> Result<Option<Occupancy>> {
    let Some(file) = db.file() else { return Ok(None) };
    let path = file.with_added_extension("lock");
    let lock = File::create(&path).map_err(|error| DbErr::Custom(format!("{}: {error}", path.display())))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(Occupancy { _file: lock })),
        Err(_) => Err(Error::Occupied(path.display().to_string())),
    }
}
