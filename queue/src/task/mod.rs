//! The life of a task as rows: put in, acted on, fenced chunk by chunk, ended, and taken away.

pub mod approval;
pub mod attempt_at;
pub mod control;
pub mod dead_task_notice;
pub mod end_attempt;
pub mod enqueue;
pub mod fence;
pub mod new;
pub mod prune;
pub mod redact;
pub mod reread;
pub mod transition;
