//! My tasks: what was submitted and what became of it, live.

pub mod api;
pub mod list;
pub mod page_address;
pub mod row;
pub mod tabs;
pub mod words;
