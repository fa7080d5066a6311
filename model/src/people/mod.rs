//! People as pages and programs know them, and how they are found and picked.

pub mod filter;
pub mod import;
pub mod order;
pub mod person;
pub mod program_status;
pub mod school_id;
pub mod selection;
pub mod timeline;
