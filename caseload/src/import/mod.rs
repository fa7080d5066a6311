//! Import: people from a CSV file, by a mapping, upserted by school id.
//!
//! The file is read as a stream and every row is checked; bad rows are reported with line and reason and the good ones are
//! imported. A mapping speaks only of the fields it names: the others keep what Docket holds (a coach assigned here
//! survives an import without coaches), which is also why a second import of the same file changes nothing.
//!
//! There are two ways. A task (`task.rs`) reads an upload in batches, on from its bookmark, and asks the database for what a row has
//! to know of those before it. [`import`] reads a file from a command in one go, and keeps a school id and a line number for each
//! person in memory, to find the second row of a person; with collapse rules one row of each, packed (about 250 bytes).
//!
//! On a page a file is prepared first (`prepare`): its columns are matched to fields, and what would happen is counted by the code that
//! then does it. A matching becomes a mapping, so that there is one way to import.
//!
//! It does not delete people who are missing in the file, and it is the only writer of people besides `generate`, the
//! accounts and the actions.

pub(crate) mod bulk_statements;
mod error;
mod file_lines;
mod forget;
mod import_choice;
pub(crate) mod imported;
mod permission;
pub(crate) mod prepare;
mod read;
mod report;
pub(crate) mod rows;
pub(crate) mod spec;
pub(crate) mod task;
mod unreadable;
mod upload;
mod upsert;

use std::{collections::HashMap, io::Read};

use model::SchoolId;

pub(crate) use self::forget::forget;
pub use self::{
    error::ImportError,
    report::{BadRow, Report},
    rows::mapping::{LONGEST as LONGEST_MAPPING, Mapping},
    unreadable::UnreadableLines,
    upload::{LARGEST, Upload},
};
use self::{
    read::{lines::Rows, separator},
    rows::{
        checked_row::{self, Row},
        collapse::Collapse,
        header_plan::Plan,
    },
};

/// A mapping to begin with, for files with columns as Docket exports them.
pub const DEFAULT_MAPPING: &str = include_str!("../../mappings/docket.toml");

/// People in one transaction: long enough that its commit does not count, short enough that others get their turn.
const BATCH: usize = 2_000;

/// Imports a CSV file with a header line. Batches that were written stay when a later one fails; the same import again
/// goes on from there.
///
/// Reading blocks the thread for one buffer at a time, as local files do.
pub async fn import(db: &queue::Database, mut csv: impl Read + Send, mapping: &Mapping) -> Result<Report, ImportError> {
    let mut beginning = Vec::new();
    csv.by_ref().take(separator::BYTES as u64).read_to_end(&mut beginning).map_err(::csv::Error::from)?;
    let separator = mapping.separator.unwrap_or_else(|| separator::guess(&beginning));
    let mut rows = Rows::new(Read::chain(std::io::Cursor::new(beginning), csv), separator);
    let now = db.now().await?;
    let plan = Plan::new(mapping, rows.headers()?)?.read_at(now, chrono_tz::UTC);
    if let Some(line) = rows.open_quote() {
        return Err(ImportError::Header(checked_row::never_closed(line)));
    }
    let mut report = Report::default();
    let mut seen: HashMap<SchoolId, u64> = HashMap::new();
    let mut collapse = Collapse::default();
    let mut batch = Vec::with_capacity(BATCH);

    while let Some(row) = rows.next()? {
        report.rows += 1;
        let line = row.line;
        let row = match checked_row::of_file(&plan, &row) {
            Ok(row) => row,
            Err(reason) => {
                report.refuse(line, reason);
                continue;
            }
        };
        if plan.collapses() {
            collapse.offer(&plan, row);
            continue;
        }
        if let Some(first) = seen.insert(row.school_id.clone(), line) {
            report.repeat(line, checked_row::repeated(&row.school_id, first));
            seen.insert(row.school_id, first);
            continue;
        }
        batch.push(row);
        if batch.len() == BATCH {
            upsert::write(db, &plan, &batch, &mut report).await?;
            batch.clear();
        }
    }

    let mut rest = batch.into_iter().chain(collapse.into_rows()).peekable();
    while rest.peek().is_some() {
        let batch: Vec<Row> = rest.by_ref().take(BATCH).collect();
        upsert::write(db, &plan, &batch, &mut report).await?;
    }
    report.bad.sort_by_key(|bad| bad.line);
    Ok(report)
}
