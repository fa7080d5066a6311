//! The REST interface, version 1: doors to the use cases of `caseload`. A handler decodes, calls and answers; it neither
//! checks nor allows anything.

pub mod actions;
pub mod admin;
pub mod approvals;
pub mod docs;
pub mod health;
pub mod input;
pub mod ledger;
pub mod me;
pub mod openapi;
pub mod people;
pub mod person;
pub mod problems;
pub mod session;
mod strict;
pub mod target;
pub mod tasks;
