//! The one rule of who lives.

use crate::Database;

/// The condition that the process of this alias has beaten within so many seconds, given as an expression.
pub fn has_beaten_within(alias: &str, seconds: &str) -> String {
    format!("{alias}.heartbeat_date > {{after:-{seconds}}}")
}

/// The condition that it lives. Where there is one process only, it does not beat, and to be on the list is to live (see
/// [`super::occupancy`]).
pub fn lives(db: &Database, alias: &str, lease: &str) -> String {
    match db.is_postgres() {
        true => has_beaten_within(alias, lease),
        false => format!("{lease} > 0"),
    }
}
