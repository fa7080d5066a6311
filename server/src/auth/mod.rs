//! Who comes in, and how: sessions, signing in and out, and what takes a password once more.

pub mod actor;
pub mod browser_name;
pub mod cookie_key;
pub mod counted;
pub mod denials;
pub mod passkeys;
pub mod password_generator;
pub mod password_link;
pub mod provider;
pub mod reauthentication;
pub mod second_factor;
pub mod session;
pub mod setup;
pub mod sign_in;
pub mod visitor;
