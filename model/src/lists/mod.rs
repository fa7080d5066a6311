//! What lists have in common: a page of them, and the parameters that ask for it.

pub mod extra_fields;
pub mod page;
pub mod parameters;
