//! The log: one line for each thing worth knowing, on standard error, so that standard output stays for answers.

use std::io::IsTerminal;

use tracing::Level;
use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts the log. `filter` replaces the default one; a filter that cannot be read is said and ignored.
pub fn start(filter: Option<String>, default: Level, format: LogFormat) {
    // The session library warns of every cookie that outlived its session, which is what browsers do, not an attack.
    // What the broker's client says of a lost connection is said once more, and once, by whoever makes it again.
    let default =
        format!("{default},lapin=off,tower_sessions=error,tower_sessions_core=error,sqlx=warn,sea_orm_migration=warn");
    let wanted = filter.as_ref().unwrap_or(&default);
    let read = EnvFilter::try_new(wanted);
    let unreadable = read.as_ref().err().map(ToString::to_string);
    let log = tracing_subscriber::fmt()
        .with_env_filter(read.unwrap_or_else(|_| EnvFilter::new(&default)))
        .with_writer(std::io::stderr);
    let _already_started = match format {
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
        // With the request that a line stands in, so that its id is found beside the task's.
        LogFormat::Json => log.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init(),
    };
    if let Some(why) = unreadable {
        tracing::warn!(filter = wanted, why, "the log filter is ignored");
    }
}
