//! `/api/1/admin`: what administrators see and do.

pub mod machinery;
pub mod queue;
pub mod tasks;
