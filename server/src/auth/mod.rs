//! Who comes in, and how: sessions, signing in and out, and what takes a password once more.

pub mod account;
pub mod actor;
pub mod browser_name;
pub mod reauthentication;
pub mod session;
pub mod setup;
pub mod sign_in;
pub mod visitor;
