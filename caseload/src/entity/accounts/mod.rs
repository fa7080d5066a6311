//! Accounts, and what lets somebody in.

pub mod access_token;
pub mod account;
pub mod account_identity;
pub mod address_wish;
pub mod allowance;
pub mod authenticator_app;
pub mod known_place;
pub mod passkeys;
pub mod password_link;
pub mod recovery_code;
pub mod remembered_browser;
pub mod setup_link;
pub mod sign_in_failure;
