//! The audit trail.

pub mod entry;
pub mod redaction;
