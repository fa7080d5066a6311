//! One folder or file for each page: the page with its resources, its parts, and its server functions.

pub mod admin;
pub mod compose;
pub mod import;
pub mod login;
pub mod not_found;
pub mod people;
pub mod person;
pub mod reassign;
pub mod served;
pub mod settings;
pub mod setup;
pub mod task;
pub mod tasks;
