//! Tasks as staff see them, the ledger of each, and how one treats its people.

pub mod ledger;
pub mod lines;
pub mod live_changes;
pub mod messages;
pub mod part;
pub mod people_run;
pub mod prune;
pub mod range;
pub mod staff_names;
pub mod title;
pub mod verbs;
pub mod view;
pub mod waiting;
