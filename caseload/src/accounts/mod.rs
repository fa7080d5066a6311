//! Who may come in: accounts, their passwords and tokens, and whoever tries others.

pub mod account;
pub mod by_command;
pub mod credentials;
pub mod own_address;
pub mod passkeys;
pub mod password_links;
pub mod passwords;
pub mod preferences;
pub mod provided;
pub mod reauthentication;
pub mod request_origin;
pub mod second_factor;
pub mod session;
pub mod setup;
pub mod sign_in;
pub mod staff_accounts;
pub mod system_person;
pub mod throttle;
pub mod tokens;
