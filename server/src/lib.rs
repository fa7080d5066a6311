//! Docket's server: the wiring of configuration, database, queue, domain, pages and API into one binary, and its commands.
//! Nothing about people or tasks is decided here.

mod admin;
pub mod api;
pub mod commands;
pub mod config;
mod door;
mod events;
mod forms;
mod listen;
pub mod pages;
mod process;
pub mod router;
pub mod share;
pub mod state;
mod web;

pub use door::{account, actor, session};
pub use process::{demo, run};
pub use web::{assets, base, client_address, headers};
