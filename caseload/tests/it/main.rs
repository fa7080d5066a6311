//! The domain on real databases, each test on SQLite and on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "tests")]
// What a test awaits holds all that the use cases below it await.
#![recursion_limit = "256"]

mod access;
mod account_limits;
mod administering;
mod alerting;
mod approving;
mod auditing;
mod college;
mod credentials;
mod directory;
mod directory_at_once;
mod downloading;
mod emailing;
mod erasing;
mod exporting;
mod extra_fields;
mod flaky;
mod flaky_store;
mod full_store;
mod generate;
mod guessing;
mod history;
mod import;
mod importing;
mod left_tasks;
mod listing;
mod many_people;
mod operating;
mod passkeys;
mod passwords_by_link;
mod plans;
mod preferring;
mod preparing;
mod previewing;
mod provided;
mod pruning;
mod reassigning;
mod running;
mod second_factor;
mod selecting;
mod submitting;
mod tasks;
mod timelines;
mod undoing;
mod viewing;
mod watching;
