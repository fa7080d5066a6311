//! Tasks: from the preview to the ledger.

pub mod attempt;
pub mod kind;
pub mod ledger;
pub mod preview;
pub mod submission;
pub mod task;
pub mod trouble;
