//! `/api/1/admin`: what administrators see and do.

pub mod operations;
pub mod queue;
pub mod tasks;
