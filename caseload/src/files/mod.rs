//! Files that tasks make and people fetch. They are in a folder or in a store that speaks S3 (`store.rs`); nothing else of a
//! process is on its machine.

pub mod download;
pub mod exports;
pub mod spreadsheet;
pub mod store;

pub use store::*;
