//! Import: people from a CSV file, by a mapping, upserted by school id.
//!
//! The file is read as a stream and every row is checked; bad rows are reported with line and reason and the good ones are
//! imported. A mapping speaks only of the fields it names: the others keep what Docket holds (a coach assigned here
//! survives an import without coaches), which is also why a second import of the same file changes nothing.
//!
//! Memory: one batch and a bounded report, plus a school id and a line number for each person, to find the second row of
//! a person. A mapping with collapse rules keeps one row of each person, packed (about 250 bytes), until the file ends.
//!
//! It does not delete people who are missing in the file, and it is the only writer of people besides `generate`, the
//! accounts and the actions.

mod batches;
mod blocks;
mod cells;
mod check;
mod choice;
mod collapse;
mod error;
mod field;
mod forget;
mod id;
mod invent;
mod lines;
mod mapping;
mod plan;
pub(crate) mod record;
mod report;
mod row;
mod source;
mod split;
pub(crate) mod table;
pub(crate) mod task;
mod unread;
mod upload;
mod upsert;

use std::{collections::HashMap, io::Read};

pub(crate) use self::forget::forget;
use self::{collapse::Collapse, lines::Rows, plan::Plan, row::Row};
pub use self::{
    error::ImportError,
    mapping::{LONGEST as LONGEST_MAPPING, Mapping},
    report::{BadRow, Report},
    upload::{LARGEST, Upload},
};

/// A mapping to begin with, for files with columns as Docket exports them.
pub const USUAL_MAPPING: &str = include_str!("../../mappings/docket.toml");

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
    let mut seen: HashMap<Box<str>, u64> = HashMap::new();
    let mut collapse = Collapse::default();
    let mut batch = Vec::with_capacity(BATCH);

    while let Some((line, record)) = rows.next()? {
        report.rows += 1;
        let row = match row::read(&plan, line, record) {
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
            report.refuse(line, repeated(&row, first));
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

/// Two rows of one person would undo each other at every import.
fn repeated(row: &Row, first: u64) -> String {
    format!("“{}” is in line {first} already, and the mapping has no [[collapse]] rule", row.school_id)
}
