//! From people who were picked to a task about them: the preview, the checks, and the one transaction that submits.

pub mod follow_up;
pub mod freeze;
pub mod preview;
pub mod preview_people;
pub mod send;
pub mod spec;
pub mod still_to_treat;
pub mod undone;
