//! One file for each thing that is measured; its first lines say what it takes and what it prints.

pub mod admin;
pub mod export;
pub mod mail;
pub mod people_search;
pub mod plans;
pub mod siege;
pub mod status_change;
pub mod streams;
pub mod workers;
