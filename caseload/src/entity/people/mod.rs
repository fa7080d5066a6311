//! People, and what is kept of them.

pub mod coach_change;
pub mod early_alert;
pub mod erased;
pub mod journal_entry;
pub mod person;
pub mod person_extra;
pub mod program_status_history;
pub mod saved_view;
pub mod selection;
pub mod watch;
