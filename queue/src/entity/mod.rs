//! The tables of the queue. Only this crate writes them.

pub mod paused_kind;
pub mod process;
pub mod queue_sample;
pub mod queued_task;
pub mod schedule;
pub mod schedule_fire;
pub mod scheduler_lock;
pub mod stopped_owner;
pub mod task_attempt;
pub mod task_failure;
pub mod task_table;
pub mod throughput;
