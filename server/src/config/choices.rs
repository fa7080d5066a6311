//! Settings that are one word of a few.

/// What tells processes that something may be due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeSource {
    /// RabbitMQ if there is one, else PostgreSQL if there is one.
    Auto,
    None,
    Postgres,
    RabbitMq,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// A JSON object for each line, for programs.
    Json,
}
