//! The process: its start and stop, what it does by the calendar, and what it says of itself.

pub mod demo;
pub mod metrics;
pub mod preflight;
pub mod run;
pub mod schedules;
pub mod schema_version;
pub mod telemetry;
