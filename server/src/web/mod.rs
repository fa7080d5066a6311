//! What every request and answer goes through, whoever answers.

pub mod assets;
pub mod base_path;
pub mod client_address;
pub mod compression;
pub mod cookies;
pub mod form_errors;
pub mod headers;
pub mod host;
pub mod known_routes;
pub mod problem;
pub mod range;
pub mod redirect;
pub mod text_input;
pub mod timeouts;
