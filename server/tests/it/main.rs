//! Docket over HTTP, on SQLite, and the invariants of the code base.

#![allow(clippy::unwrap_used, reason = "a test stops at its first surprise")]

mod access;
mod answers;
mod assets;
mod binary;
#[cfg(feature = "rabbitmq")]
mod broker;
mod clocks;
mod cluster;
mod commands;
mod crash;
mod demo;
mod events;
mod files;
mod first_start;
mod forms;
mod mail;
mod measured;
mod openapi;
mod pages;
mod poison;
mod problems;
mod schema;
mod security;
mod sessions;
#[cfg(feature = "s3")]
mod shared_files;
mod site;
mod start;
mod stop;
mod tidy;
