//! Keeps a second runtime off a database: a lock file beside a SQLite database, a session advisory lock on PostgreSQL. Both
//! end with the process that holds them, however it ends.

use std::{fs::File, time::Duration};

use sea_orm::DbErr;
use sqlx::{Connection, PgConnection};

use crate::{Database, Error, Result};

/// The advisory lock's key: any number nobody else uses.
const KEY: i64 = 0x0d0c_6e74_0002;
/// PostgreSQL frees the lock of a killed process once it notices; that may take a statement's time.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(250);

/// The right to run tasks on a database, until it is dropped.
pub enum Occupancy {
    Postgres { _connection: Box<PgConnection> },
    File { _file: File },
}

/// Takes the right, or says who has it.
pub async fn occupy(db: &Database) -> Result<Occupancy> {
    for _ in 1..TRIES {
        match try_occupy(db).await {
            Err(Error::Occupied(_)) => tokio::time::sleep(BETWEEN).await,
            other => return other,
        }
    }
    try_occupy(db).await
}

async fn try_occupy(db: &Database) -> Result<Occupancy> {
    let Some(file) = db.file() else {
        let mut connection = PgConnection::connect(db.url()).await.map_err(failed)?;
        let (free,): (bool,) = sqlx::query_as("SELECT pg_try_advisory_lock($1)")
            .bind(KEY)
            .fetch_one(&mut connection)
            .await
            .map_err(failed)?;
        return match free {
            true => Ok(Occupancy::Postgres { _connection: Box::new(connection) }),
            false => Err(Error::Occupied("PostgreSQL advisory lock".to_owned())),
        };
    };
    let path = file.with_added_extension("lock");
    let lock = File::create(&path).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(Occupancy::File { _file: lock }),
        Err(_) => Err(Error::Occupied(path.display().to_string())),
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Database(DbErr::Custom(error.to_string()))
}
