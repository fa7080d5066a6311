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
mod permission;
pub(crate) mod prepare;
mod read;
mod report;
pub(crate) mod rows;
pub(crate) mod spec;
pub(crate) mod task;
mod upload;
mod upsert;

use std::{collections::HashMap, io::Read};

use model::SchoolId;

pub(crate) use self::forget::forget;
pub use self::{
    error::ImportError,
    report::{BadRow, Report},
    rows::mapping::{LONGEST as LONGEST_MAPPING, Mapping},
    upload::{LARGEST, Upload},
};
use self::{
    read::lines::Rows,
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
pub async fn import(db: &queue::Database, csv: impl Read + Send, mapping: &Mapping) -> Result<Report, ImportError> {
    let mut rows = Rows::new(csv);
    let plan = Plan::new(mapping, rows.headers()?)?;
    let mut report = Report::default();
    let mut seen: HashMap<SchoolId, u64> = HashMap::new();
    let mut collapse = Collapse::default();
    let mut batch = Vec::with_capacity(BATCH);

    while let Some((line, record)) = rows.next()? {
        report.rows += 1;
        let row = match checked_row::read(&plan, line, record) {
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
            report.refuse(line, checked_row::repeated(&row, first));
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
