//! How the queue is, and what needs somebody.

mod attention;
pub mod cache;
mod compute;
mod disk;
