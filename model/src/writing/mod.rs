//! What people write, how long it may be, and how it is shown.

pub mod letter;
pub mod markup;
pub mod note;
