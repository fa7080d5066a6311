//! The lines of an uploaded file as a mapping reads them. What is counted before an import and what is imported are read here.

use std::sync::Arc;

use csv::ByteRecord;
use model::{SchoolId, TaskErrorCode, import::Separator};
use object_store::path::Path;
use queue::Failure;

use crate::{
    files::store::Files,
    import::error::ImportError,
    import::read::batches::{Batch, Batches, FilePosition},
    import::read::lines::{FileRow, Rows},
    import::read::row_ends::first_row,
    import::read::separator,
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
    /// The row of the same person in this line counts.
    Repeated(SchoolId, u64),
    Bad {
        reason: String,
        /// How the row begins in the file.
        begins: String,
    },
}

/// How a file begins.
pub struct FileHead {
    /// The first row.
    pub names: ByteRecord,
    pub separator: Separator,
    /// Where the row below it is.
    pub body: FilePosition,
}

/// Reads how a file begins; what its separator is, is guessed unless it is said.
pub async fn head(
    files: &Files,
    path: &Path,
    blocks: &Arc<[String]>,
    separator: Option<Separator>,
) -> Result<Result<FileHead, ImportError>, Failure> {
    let by = separator.unwrap_or(Separator::Comma);
    let first = Batches::open(files, path, blocks, FilePosition::START, by).await?.next().await?;
    let bytes = first.map(|batch| batch.bytes).unwrap_or_default();
    let separator = separator.unwrap_or_else(|| separator::guess(&bytes));
    Ok(head_of(&bytes, separator))
}

fn head_of(bytes: &[u8], separator: Separator) -> Result<FileHead, ImportError> {
    let (offset, lines) = first_row(bytes, separator);
    let mut rows = Rows::new(bytes, separator);
    let names = rows.headers()?.clone();
    match rows.open_quote() {
        Some(line) => Err(ImportError::Header(checked_row::never_closed(line))),
        None => Ok(FileHead { names, separator, body: FilePosition { offset: offset as u64, line: 1 + lines } }),
    }
}

/// Every row of a batch, in its order.
pub fn read(plan: &Plan, batch: &Batch, separator: Separator) -> Result<Vec<FileLine>, Failure> {
    let mut lines = Vec::new();
    each(batch, separator, |row| {
        let bad = |reason| LineResult::Bad { reason, begins: beginning(row.record) };
        let what = checked_row::of_file(plan, &row).map_or_else(bad, LineResult::Good);
        lines.push(FileLine { number: row.line, what });
    })?;
    Ok(lines)
}

/// The first cells of a row, and of each as much as tells which it is.
fn beginning(row: &ByteRecord) -> String {
    let cells = row.iter().take(4).map(|cell| String::from_utf8_lossy(&cell[..cell.len().min(40)]).trim().to_owned());
    cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Gives every row of a batch as it stands in the file.
pub fn each(batch: &Batch, separator: Separator, mut each: impl FnMut(FileRow<'_>)) -> Result<(), Failure> {
    let mut rows = Rows::from(&batch.bytes[..], batch.at.line, separator);
    let bad = |error: csv::Error| Failure::permanent(TaskErrorCode::BadFile, error.to_string());
    while let Some(row) = rows.next().map_err(bad)? {
        each(row);
    }
    Ok(())
}
