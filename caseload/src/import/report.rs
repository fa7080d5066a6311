//! What an import did, in numbers, and the rows it refused.

use serde::Serialize;

/// How many refused rows are kept word for word; beyond it they are only counted, so that a file that is wrong in every
/// row does not fill the memory.
const KEPT: usize = 1_000;

/// `people` is `created + updated + unchanged`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Rows of the file below its header line, good and bad.
    pub rows: u64,
    pub people: u64,
    pub created: u64,
    pub updated: u64,
    pub unchanged: u64,
    /// The first 1,000 refused rows, by line.
    pub bad: Vec<BadRow>,
    /// All refused rows.
    pub bad_count: u64,
    /// The first 1,000 rows of somebody who has one before, which counts.
    pub repeated: Vec<BadRow>,
    /// All of those.
    pub repeated_count: u64,
}

/// A row that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BadRow {
    /// The line of the file on which the row begins; the header is line 1.
    pub line: u64,
    /// What is wrong, beginning with the name of the column.
    pub reason: String,
}

impl Report {
    pub(super) fn refuse(&mut self, line: u64, reason: String) {
        self.bad_count += 1;
        if self.bad.len() < KEPT {
            self.bad.push(BadRow { line, reason });
        }
    }

    pub(super) fn repeat(&mut self, line: u64, reason: String) {
        self.repeated_count += 1;
        if self.repeated.len() < KEPT {
            self.repeated.push(BadRow { line, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rows_are_all_counted_and_some_are_kept() {
        let mut report = Report::default();
        (1..=1_500).for_each(|line| report.refuse(line, "id: missing".to_owned()));
        assert_eq!((report.bad.len(), report.bad_count), (KEPT, 1_500));
    }
}
