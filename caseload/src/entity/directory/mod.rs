//! What the directory of the institution says.

pub mod group;
pub mod member;
pub mod token;
pub mod user;
