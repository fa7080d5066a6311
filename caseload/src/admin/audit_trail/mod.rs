//! The audit trail as administrators read it.

mod names;
mod read;
pub mod redact;
