//! Docket over HTTP, on SQLite, and the invariants of the code base.

// Compiled for speed, the longest of these tests are too deep for the usual one.
#![recursion_limit = "256"]
#![allow(clippy::unwrap_used, reason = "a test stops at its first surprise")]

mod access;
mod admin_lists;
mod answers;
mod approvals;
mod assets;
mod audit;
mod behind_nginx;
mod binary;
#[cfg(feature = "rabbitmq")]
mod broker;
mod browser_rules;
mod client_developer;
mod clocks;
mod cluster;
mod commands;
mod connections;
mod corpus;
mod crash;
mod credentials;
mod cut;
mod deep;
mod demo;
mod events;
mod everybody;
mod extra_fields;
mod failing_disk;
mod files;
mod first_start;
mod flood;
mod forms;
mod full_disk;
mod hanging;
mod json_schemas;
mod long_stop;
mod lost_sessions;
mod mail;
mod measured;
mod newer_kind;
mod odd;
mod openapi;
mod pages;
mod passkeys;
mod path;
mod poison;
mod problems;
#[cfg(feature = "s3")]
mod request_source;
mod restored;
mod scim;
mod second_factor;
mod secure_mail;
mod security;
mod sessions;
mod shared_files;
mod shares;
mod site;
mod standstill;
mod start;
mod stop;
mod tidy;
