//! From a row of cells to a person, by the mapping.

pub mod check;
pub mod collapse;
pub mod field;
pub mod header_plan;
pub mod id;
pub mod invent;
pub mod mapping;
pub mod record;
pub mod row;
