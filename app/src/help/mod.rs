//! What the pages of help say: one topic for each job, and one file for each group of them, so that whoever puts them into another
//! language finds the words in one place. Nothing here shows anything; `app/src/pages/help` does, and only on the server.
//!
//! A number that a setting decides stands in braces and is filled in when a page is shown (`figures.rs`).

mod acting;
mod administration;
pub mod article;
pub mod figures;
pub mod hint;
mod keys;
mod people;
pub mod place;
pub mod search;
mod sharing_out;
mod tasks;
pub mod texts;
pub mod topic;
