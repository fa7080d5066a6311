//! The schema and its upgrades, on both databases.

#![expect(clippy::unwrap_used, reason = "tests")]

mod addresses;
mod history;
mod place;
mod rows;
mod stopped;
mod up_and_down;
mod upgrade;
