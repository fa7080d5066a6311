//! One attempt at a task, from the claim to its end, and what it needs on its way.

pub mod attempt;
pub mod background_threads;
pub mod backoff;
pub mod changed_tasks;
pub mod chunk_size;
pub mod error_class;
pub mod executor;
pub mod failure;
pub mod self_test;
pub mod slots;
pub mod test_hooks;
pub mod verdict;
