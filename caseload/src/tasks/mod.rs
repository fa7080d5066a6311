//! Tasks as staff see them, the ledger of each, and how one treats its people.

pub mod done_to_task;
pub mod hold;
pub mod ledger;
pub mod ledger_lines;
pub mod ledger_range;
pub mod locked_people;
pub mod people_executor;
pub mod prune;
pub mod queries;
pub mod row;
pub mod timeline;
pub mod title;
pub mod visible;
pub mod waiting;
