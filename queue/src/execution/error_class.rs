//! Tells errors that are nobody's fault from those of a statement: the database is away, or asks to try again; and from
//! those of the data, which will be the same each time.

use std::time::Duration;

use sea_orm::{DbErr, RuntimeErr};

/// The waits, in milliseconds, between the tries of what nobody would try again: a connection that was cut is replaced at the first, and a database
/// that restarts is back before the last.
const WAITS: [u64; 5] = [50, 200, 500, 1_000, 2_000];

/// Does what a process cannot go on without, and again a few times while the database is away. It has to be safe to do twice: an
/// answer may be what was lost.
pub async fn patiently<T, E: std::fmt::Display>(
    passes: impl Fn(&E) -> bool,
    mut ask: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    for wait in WAITS {
        match ask().await {
            Err(error) if passes(&error) => tracing::warn!(%error, "the database does not answer; trying again soon"),
            answered => return answered,
        }
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
    ask().await
}

/// Whether the same work may well succeed in a moment, for reasons that have nothing to do with it.
pub fn is_outage(error: &DbErr) -> bool {
    match error {
        DbErr::Conn(_) | DbErr::ConnectionAcquire(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => is_sqlx_outage(error),
        _ => false,
    }
}

/// Whether it is the values that no database would take: a character that no text holds, a number out of range.
pub fn is_hopeless(error: &DbErr) -> bool {
    const DATA_EXCEPTION: &str = "22";
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
            code.is_some_and(|code| code.len() == 5 && code.starts_with(DATA_EXCEPTION))
        }
        _ => false,
    }
}

/// Whether a text holds a character that this database has no room for.
pub fn is_unstorable(error: &DbErr) -> bool {
    const NOT_IN_REPERTOIRE: &str = "22021";
    match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == NOT_IN_REPERTOIRE)
        }
        _ => false,
    }
}

/// Whether the database refuses what a statement would write: values out of bounds, a constraint, an exception raised by a
/// rule of the schema. Other rows may well be written.
pub fn is_refusal(error: &DbErr) -> bool {
    const POSTGRES: [&str; 3] = ["22", "23", "P0"];
    const SQLITE_CONSTRAINT: i64 = 19;
    let error = match error {
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => error,
        _ => return false,
    };
    let code = error.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    code.is_some_and(|code| match code.len() {
        5 => POSTGRES.iter().any(|class| code.starts_with(class)),
        _ => code.parse::<i64>().is_ok_and(|code| code & 0xff == SQLITE_CONSTRAINT),
    })
}

fn is_sqlx_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_transient_code(&code)),
        _ => false,
    }
}

/// PostgreSQL: connection exceptions, out of resources, operator intervention, serialization failure and deadlock, a lock not
/// granted in time. SQLite: busy, locked, out of memory, I/O error, disk full, cannot open.
fn is_transient_code(code: &str) -> bool {
    const CLASSES: [&str; 4] = ["08", "53", "57", "40"];
    const SQLITE: [i64; 6] = [5, 6, 7, 10, 13, 14];
    match code.len() {
        5 => CLASSES.iter().any(|class| code.starts_with(class)) || code == "55P03" || code == "25P03",
        // Extended codes of SQLite carry the primary one in their low byte.
        _ => code.parse::<i64>().is_ok_and(|code| SQLITE.contains(&(code & 0xff))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_pass_by_themselves() {
        for code in ["57P01", "08006", "40001", "40P01", "53300", "55P03", "5", "517", "13", "10"] {
            assert!(is_transient_code(code), "{code}");
        }
        for code in ["23505", "42P01", "22021", "1", "19", "2067", "1555"] {
            assert!(!is_transient_code(code), "{code}");
        }
    }
}
