//! The pages of Docket, which the server renders, and the islands in them, which a browser brings to life. Pages show and ask;
//! what is allowed and what happens is decided by `caseload`, which only the server's side reaches.

pub mod account;
pub mod components;
pub mod help;
pub mod live;
pub mod pages;
pub mod refusal;
#[cfg(feature = "ssr")]
pub mod server;
pub mod url;
