//! One task: how far it is, what became of each person, what happened, and what can be done about it.

pub mod cancel;
pub mod details;
pub mod file;
pub mod head;
pub mod hold;
pub mod ledger;
pub mod ledger_lines;
mod pace;
pub mod page_address;
pub mod problems;
mod progress;
pub mod related;
pub mod timeline;
pub mod top;
