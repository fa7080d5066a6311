//! The lines of an uploaded file as a mapping reads them. What is counted before an import and what is imported are read here.

use std::sync::Arc;

use csv::ByteRecord;
use model::TaskErrorCode;
use object_store::path::Path;
use queue::Failure;

use crate::{
    files::store::Files,
    import::error::ImportError,
    import::read::batches::{Batch, Batches, FilePosition},
    import::read::lines::Rows,
    import::read::row_ends::first_row,
    import::rows::checked_row::{self, Row},
    import::rows::header_plan::Plan,
};

/// One line of the file.
pub struct FileLine {
    pub number: u64,
    pub what: LineResult,
}

pub enum LineResult {
    Good(Row),
    /// Another row of the same person counts.
    Outranked,
    Bad(String),
}

/// The first row of a file, and where the one below it is.
pub async fn header(
    files: &Files,
    path: &Path,
    blocks: &Arc<[String]>,
) -> Result<(Result<ByteRecord, ImportError>, FilePosition), Failure> {
    let first = Batches::open(files, path, blocks, FilePosition::START).await?.next().await?;
    let bytes = first.map(|batch| batch.bytes).unwrap_or_default();
    let (offset, lines) = first_row(&bytes);
    let header = Rows::new(&bytes[..]).headers().cloned().map_err(ImportError::from);
    Ok((header, FilePosition { offset: offset as u64, line: 1 + lines }))
}

/// Every row of a batch, in its order.
pub fn read(plan: &Plan, batch: &Batch) -> Result<Vec<FileLine>, Failure> {
    let mut lines = Vec::new();
    each(batch, |number, record| {
        let what = checked_row::read(plan, number, record).map_or_else(LineResult::Bad, LineResult::Good);
        lines.push(FileLine { number, what });
    })?;
    Ok(lines)
}

/// Gives every row of a batch with its line, as it stands in the file.
pub fn each(batch: &Batch, mut row: impl FnMut(u64, &ByteRecord)) -> Result<(), Failure> {
    let mut rows = Rows::from(&batch.bytes[..], batch.at.line);
    let bad = |error: csv::Error| Failure::permanent(TaskErrorCode::BadFile, error.to_string());
    while let Some((number, record)) = rows.next().map_err(bad)? {
        row(number, record);
    }
    Ok(())
}
