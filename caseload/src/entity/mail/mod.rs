//! What is written to people, and what became of it.

pub mod email_draft;
pub mod email_template;
pub mod notice;
pub mod outbox;
