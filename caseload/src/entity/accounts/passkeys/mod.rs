//! Passkeys of accounts, and what devices are asked.

pub mod passkey;
pub mod question;
