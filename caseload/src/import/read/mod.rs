//! From an uploaded file to rows of cells, block by block.

pub mod batches;
pub mod block_hashes;
pub mod cells;
pub mod lines;
pub mod row_ends;
pub mod separator;
