//! Two pairs of eyes: what waits for somebody's decision, the decision itself, and what whoever asked sees of it.

pub mod beside;
pub mod list;
pub mod one;
