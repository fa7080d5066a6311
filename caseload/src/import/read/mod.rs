//! From an uploaded file to rows of cells, block by block.

pub mod batches;
pub mod blocks;
pub mod cells;
pub mod lines;
pub mod mapping_errors;
pub mod source;
pub mod split;
