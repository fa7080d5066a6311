//! What every request and answer goes through, whoever answers.

pub mod assets;
pub mod base;
pub mod cookies;
pub mod headers;
pub mod host;
pub mod late;
pub mod local;
pub mod parcel;
pub mod problem;
pub mod range;
pub mod readable;
pub mod refused;
pub mod source;
pub mod table;
