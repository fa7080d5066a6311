//! What was done and what was denied, for those who look into it later.

pub mod denial_counter;
pub mod denials;
pub mod entry;
pub mod words;
