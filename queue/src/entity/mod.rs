//! The tables of the queue. Only this crate writes them.

pub mod process;
pub mod queued_task;
pub mod task_attempt;
pub mod task_failure;
