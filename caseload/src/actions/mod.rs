//! The actions: a file for each, what all have to say about themselves (`definition.rs`), and where each is found (`all_actions.rs`,
//! `executors.rs`).

pub mod all_actions;
pub mod definition;
pub mod early_alert;
pub mod email;
mod executors;
pub mod export;
pub mod program_status;
pub mod reassign_by_list;
pub mod reassign_coach;
pub mod self_test;
pub mod undo;
pub mod watch;
