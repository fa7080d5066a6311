//! The people list: its pages, its rows, and what it can be narrowed by.

pub mod choices;
pub mod cursor;
mod order;
pub mod page;
pub mod refresh;
pub mod rows;
