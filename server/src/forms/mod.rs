//! What pages send that is no server function: it needs the session itself, carries a file, or is answered by one.

pub mod admin;
pub mod approvals;
pub mod ids;
pub mod import;
pub mod import_lines;
pub mod passkeys;
pub mod reassign_upload;
pub mod second_factor;
pub mod settings;
pub mod upload;
