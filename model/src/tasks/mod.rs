//! Tasks: from the preview to the ledger.

pub mod approval;
pub mod attempt;
pub mod error_code;
pub mod kind;
pub mod ledger;
pub mod preview;
pub mod short_id;
pub mod submission;
pub mod task;
