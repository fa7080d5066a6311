//! Forms of pages that change or upload something, answered by a redirect.

pub mod admin;
pub mod email;
pub mod ids;
pub mod import;
pub mod reassign_upload;
pub mod settings;
pub mod upload;
