//! What was done and what was denied, for those who look into it later.

pub mod denials;
pub mod denied;
pub mod entry;
