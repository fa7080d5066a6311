//! The tables of the server: who is signed in, and the key of what it leaves with browsers. Only this crate writes them.

pub mod server_key;
pub mod session;
