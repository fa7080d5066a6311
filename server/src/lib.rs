//! Docket's server: the wiring of configuration, database, queue, domain, pages and API into one binary, and its commands.
//! Nothing about people or tasks is decided here.

pub mod account;
pub mod actor;
mod admin;
pub mod api;
pub mod assets;
pub mod commands;
pub mod config;
pub mod demo;
mod device;
mod email;
mod events;
pub mod headers;
mod ids;
mod import;
mod local;
mod metrics;
pub mod pages;
mod problem;
mod range;
mod reassign;
mod refused;
pub mod router;
pub mod run;
mod schedules;
mod schema;
mod secret;
pub mod session;
mod setup;
mod sign_in;
pub mod state;
mod table;
mod telemetry;
pub mod throttle;
