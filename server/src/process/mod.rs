//! The process: its start and stop, what it does by the calendar, and what it says of itself.

pub mod cookie_key;
pub mod demo;
pub mod denials;
pub mod metrics;
pub mod password_generator;
pub mod preflight;
pub mod run;
pub mod schedules;
pub mod schema;
pub mod telemetry;
