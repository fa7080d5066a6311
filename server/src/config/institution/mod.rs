//! What the institution brings along: by whom it lets people in, and what it says of its staff.

pub mod directory;
pub mod providers;
mod words;
