//! What every request and answer goes through, whoever answers.

pub mod assets;
pub mod base;
pub mod client_address;
pub mod cookies;
pub mod form_errors;
pub mod headers;
pub mod host;
pub mod parcel;
pub mod problem;
pub mod range;
pub mod readable;
pub mod redirect;
pub mod routes;
pub mod timeouts;
