//! The domain on real databases, each test on SQLite and on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "tests")]

mod access;
mod administering;
mod alerting;
mod college;
mod emailing;
mod erasing;
mod exporting;
mod generate;
mod import;
mod importing;
mod listing;
mod operating;
mod preferring;
mod previewing;
mod pruning;
mod reassigning;
mod running;
mod selecting;
mod submitting;
mod tasks;
mod undoing;
mod viewing;
mod watching;
