//! Docket's server: the wiring of configuration, database, queue, domain, pages and API into one binary, and its commands.
//! Nothing about people or tasks is decided here.

pub mod api;
mod auth;
pub mod commands;
pub mod config;
mod entity;
mod events;
pub mod fairness;
mod forms;
mod listen;
pub mod pages;
mod process;
pub mod router;
mod scim;
pub mod state;
mod web;

pub use auth::{actor, session};
pub use forms::settings;
pub use process::{demo, run};
pub use web::{assets, base_path, client_address, headers};
