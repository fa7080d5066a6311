//! What administrators see and do: the queue's health, any task, failures by their cause, processes, kinds, locks, schedules,
//! the audit trail and the accounts. Whatever is done here needs a reason and leaves one entry in the audit, written with it.

mod asked;
mod bulk;
pub(crate) mod door;
mod failures;
mod frozen;
pub mod health;
mod machinery;
mod task;
mod tasks;
mod trail;
mod users;
mod verbs;

pub use users::{Issued, NewUser};
