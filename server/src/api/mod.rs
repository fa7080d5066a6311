//! The REST interface, version 1: doors to the use cases of `caseload`. A handler decodes, calls and answers; it neither
//! checks nor allows anything.

pub mod admin;
pub mod docs;
pub mod early_alert;
pub mod email;
pub mod export;
pub mod health;
pub mod input;
pub mod ledger;
pub mod me;
pub mod openapi;
pub mod people;
pub mod person;
pub mod problems;
pub mod program_status;
pub mod reassign_coach;
pub mod reassign_list;
pub mod self_test;
pub mod session;
mod strict;
pub mod submission;
pub mod target;
pub mod tasks;
pub mod watch;
