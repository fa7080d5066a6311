//! Looks at the queue, for people: tasks and where they stand, why they wait or fail, and how the queue has been.
//!
//! Whatever is asked, the answer is bounded: lists and counts end at a limit, and each condition has an index. What was done in
//! each minute and hour is counted afterwards by a schedule, from the tasks that ended in it (`statistics`). A failure leaves a row
//! with the fingerprint of its kind, its code and what is constant in its words (`cause.rs`). A search (`search`) is a condition
//! with an index for each thing that can be asked; words in errors are looked for within a span of time only.

pub mod blockers;
pub mod cause;
pub mod family;
pub mod health;
pub mod search;
pub mod statistics;
pub mod tasks;
pub mod unfinished;
pub mod writer_holds;
