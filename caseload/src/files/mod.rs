//! Files that tasks make and people fetch.

pub mod download;
pub mod exports;
pub mod spreadsheet;
pub mod store;

pub use store::*;
