//! How connections are made: what each of them keeps in memory, how long it waits, and what it may do.

use std::{path::PathBuf, time::Duration};

use sea_orm::DbErr;
use sqlx::{
    Connection,
    postgres::PgConnectOptions,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous},
};

use super::limits::DatabaseLimits;

/// What the connections to a SQLite file keep of it, in KiB: the writer, which changes pages all over the indexes, and the
/// readers together. Whatever else is read again lies in the memory of the system, which gives it back when others need it.
const SQLITE_WRITER_CACHE: u32 = 24 * 1024;
const SQLITE_READERS_CACHE: u32 = 64 * 1024;

pub(super) fn postgres_options(url: &str, limits: &DatabaseLimits) -> Result<PgConnectOptions, DbErr> {
    let options: PgConnectOptions = url.parse().map_err(failed)?;
    Ok(options.application_name("docket").options([
        ("lock_timeout", format!("{}ms", limits.locked.as_millis())),
        ("statement_timeout", "120s".to_owned()),
        // Statements here are short, and compiling one takes longer than running it.
        ("jit", "off".to_owned()),
        ("idle_in_transaction_session_timeout", format!("{}ms", limits.frozen.as_millis())),
    ]))
}

/// Whether a connection of SQLite may be used again. On a full disk SQLite ends a transaction by itself; the driver counts it
/// as open all the same, and would make everything that follows part of it: seemingly done, seen by nobody else, and never
/// committed. Such a connection is closed.
pub(super) fn is_clean(connection: &SqliteConnection) -> bool {
    let clean = !connection.is_in_transaction();
    if !clean {
        tracing::warn!("SQLite ended a transaction by itself; opening the database anew");
    }
    clean
}

/// A file that SQLite keeps beside the database.
pub(super) fn beside(options: &SqliteConnectOptions, ending: &str) -> PathBuf {
    let mut name = options.get_filename().as_os_str().to_owned();
    name.push(ending);
    name.into()
}

pub(super) fn sqlite_options(url: &str) -> Result<SqliteConnectOptions, DbErr> {
    let options: SqliteConnectOptions = url.parse().map_err(failed)?;
    if let Some(folder) = options.get_filename().parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(15))
        .foreign_keys(true))
}

/// What each of so many readers has beside, those of requests and those of tasks aside together.
pub(super) fn reading(options: SqliteConnectOptions, readers: u32) -> SqliteConnectOptions {
    let cache = SQLITE_READERS_CACHE / readers.max(1);
    options.pragma("query_only", "on").pragma("cache_size", format!("-{cache}"))
}

/// What the one writer has beside. Each page that a chunk changes after its savepoint is kept as it was, which is quicker in
/// memory; and the log is moved into the file once in 8 MiB, so that a page which many chunks change is moved once. A row that
/// takes another's place fires the trigger that keeps the other one.
pub(super) fn writing(options: SqliteConnectOptions) -> SqliteConnectOptions {
    let cache = format!("-{SQLITE_WRITER_CACHE}");
    let options = options.pragma("temp_store", "memory").pragma("recursive_triggers", "on");
    options.pragma("wal_autocheckpoint", "2000").pragma("cache_size", cache)
}

pub(super) fn failed(error: impl std::fmt::Display) -> DbErr {
    DbErr::Custom(error.to_string())
}
