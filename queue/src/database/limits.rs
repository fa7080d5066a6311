//! What a process may take of the database.

use std::time::Duration;

/// What a process may take of the database.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseLimits {
    /// Connections for requests and commands.
    pub connections: u32,
    /// Connections for what runs in the background, which requests cannot take away, nor it theirs. Made when they are
    /// needed, on PostgreSQL; on SQLite they are for what it reads aside only.
    pub for_tasks: u32,
    /// How long a transaction may wait for its next statement on PostgreSQL before the server ends it: a process that is
    /// frozen inside one must not hold its rows for ever.
    pub frozen: Duration,
    /// How long a statement may wait for a row that another transaction has locked, on PostgreSQL.
    pub locked: Duration,
    /// The same for whoever takes a task back: its locker may be frozen, and meanwhile there are others. It comes again at the
    /// next sweep.
    pub locked_at_rescue: Duration,
}

impl Default for DatabaseLimits {
    fn default() -> DatabaseLimits {
        DatabaseLimits {
            connections: 8,
            for_tasks: 8,
            frozen: Duration::from_secs(60),
            locked: Duration::from_secs(15),
            locked_at_rescue: Duration::from_millis(250),
        }
    }
}
