//! From a row of cells to a person, by the mapping.

pub mod check;
pub mod checked_row;
pub mod collapse;
pub mod field;
pub mod field_source;
pub mod header_plan;
pub mod invent;
pub mod line_cause;
pub mod mapping;
pub mod mapping_errors;
pub mod new_person_id;
pub mod person_row;
