//! Looks at the queue, for people: tasks and where they stand, why they wait or fail, and how the queue has been.

pub mod blockers;
pub mod cause;
pub mod health;
pub mod holds;
pub mod search;
pub mod statistics;
pub mod tasks;
