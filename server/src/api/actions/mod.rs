//! The actions: each submitted and counted in the same two ways.

pub mod early_alert;
pub mod email;
pub mod export;
pub mod program_status;
pub mod reassign_by_list;
pub mod reassign_coach;
pub mod self_test;
pub mod submission;
pub mod watch;
