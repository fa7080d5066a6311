//! What administrators see and do: the queue's health, any task, failures by their cause, processes, kinds, locks, schedules, the
//! audit trail and the accounts. Whatever is done here needs a reason and leaves one entry in the audit, written with it.
//!
//! What they look at is read, not gathered along the way, so that tasks which go through as they should cost nothing more. Each
//! figure of `queue/src/inspect/health.rs` comes from a partial index; what can be many ends at a limit, and what runs is never
//! many. `health/compute.rs` computes them once a second for all who look, with the list of what needs a look. The other parts of a
//! page are read for each viewer, when something of them has changed, one answer after the other and two or three in a second at
//! most.
//!
//! Each method asks for the role and a reason, does one thing in one transaction, and leaves one entry in the audit with what was
//! before and after. A verb on many tasks is looked at first: what it would reach is kept under a token for half an hour, each task
//! with its attempt and state (`many_tasks_preview.rs`), and the operation reaches those that stand where they stood. What was done to a task
//! is also a row beside it (`task_verb`), which its owner sees and which leads to the entry that is of many. What a request says is
//! shown only where it is known to be harmless (`audit_trail/redact.rs`).

mod audit_trail;
mod failures;
pub(crate) mod filter_values;
pub(crate) mod guard;
pub mod health;
mod heirs;
mod left_tasks;
mod many_tasks;
mod many_tasks_preview;
mod operations;
mod second_factors;
pub(crate) mod task;
mod tasks;
mod users;
mod verbs;

pub use failures::cause_title;
pub use users::{Added, Issued, NewUser};
