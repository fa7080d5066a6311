//! What tasks have beside their row in the queue.

pub mod approval;
pub mod bulk_preview;
pub mod coach_wish;
pub mod export;
pub mod import_choice;
pub mod import_matching;
pub mod prepared_import;
pub mod preview;
pub mod task_person;
pub mod task_verb;
