//! How the queue is, and what needs somebody.

mod attention;
mod course;
mod disk;
pub mod last;
