//! From people who were picked to a task about them: the preview, the checks, and the one transaction that submits.

pub mod approvals;
pub mod follow_up;
pub mod freeze;
pub mod pending_changes;
mod pending_tasks;
pub mod preview;
pub mod preview_people;
pub mod send;
pub mod spec;
pub mod undo_state;
