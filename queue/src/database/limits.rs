//! What a process may take of the database.

use std::time::Duration;

/// What a process may take of the database.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections for requests and commands.
    pub connections: u32,
    /// Connections for what runs in the background, which requests cannot take away, nor it theirs. Made when they are
    /// needed, on PostgreSQL; on SQLite they are for what it reads aside only.
    pub for_tasks: u32,
    /// How long a transaction may wait for its next statement on PostgreSQL before the server ends it: a process that is
    /// frozen inside one must not hold its rows for ever.
    pub frozen: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connections: 8, for_tasks: 8, frozen: Duration::from_secs(60) }
    }
}
