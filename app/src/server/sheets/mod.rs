//! What each page loads, and how that is shown.

pub mod admin;
pub mod approvals;
pub mod compose;
pub mod entry;
pub mod go;
pub mod help;
pub mod ids;
pub mod import;
pub mod people;
pub mod person;
mod rendered;
mod saved_views;
pub mod settings;
pub mod task;
pub mod tasks;

pub use saved_views::views_of;
