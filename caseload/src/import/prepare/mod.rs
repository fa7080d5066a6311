//! A file on its way from the upload to the task: what is in its columns (`look.rs`), which field each of them seems to be
//! (`guess.rs`), with which of its owner's matchings it begins (`begin.rs`), what somebody made of that
//! ([`matching`]), and what the import would do (`count.rs`).
//!
//! Until it is imported, cancelled or too old it is a row of its owner's, and the file lies in the store under the id that the task
//! will have (`kept.rs`). What an import does to a line is told by the code that does it: both read a file by
//! `file_lines.rs` and judge a row by [`crate::import::upsert::judge`].

pub mod begin;
pub mod causes;
pub mod content;
pub mod count;
pub mod differences;
pub mod guess;
pub mod kept;
pub mod look;
pub mod matching;
pub mod names;
pub mod page;
pub mod profile;
