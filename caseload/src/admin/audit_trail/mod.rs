//! The audit trail as administrators read it.

mod read;
pub mod redact;
