//! The rows of a CSV file, each with the line on which it begins, as an editor would number it.
//!
//! The csv crate numbers the place where it stopped reading, which is a line early after CRLF and at the blank lines
//! before a row. So line ends are made alike first, and the line is counted back from the end of the row.

use std::io::{self, BufRead, BufReader, Read};

use csv::ByteRecord;
use model::import::Separator;

use crate::import::read::row_ends::Split;

/// A row as it stands in the file.
pub struct FileRow<'a> {
    /// On which it begins.
    pub line: u64,
    pub record: &'a ByteRecord,
    /// The line of a quote that is never closed: all that follows is within it.
    pub open_quote: Option<u64>,
}

/// A CSV reader that knows its lines.
pub struct Rows<R> {
    csv: csv::Reader<LineEnds<R>>,
    record: ByteRecord,
    /// Lines before what is read here.
    before: u64,
    /// The line of the row before; at first, the header's.
    last: u64,
}

impl<R: Read> Rows<R> {
    pub fn new(file: R, separator: Separator) -> Rows<R> {
        // Rows of another width are refused one by one instead of ending the import.
        let mut csv = csv::ReaderBuilder::new();
        let csv = csv.flexible(true).delimiter(separator.byte());
        Rows { csv: csv.from_reader(LineEnds::of(file, separator)), record: ByteRecord::new(), before: 0, last: 1 }
    }

    /// Rows without a header, the first of which begins on this line.
    pub fn from(file: R, line: u64, separator: Separator) -> Rows<R> {
        let mut csv = csv::ReaderBuilder::new();
        let csv = csv.flexible(true).has_headers(false).delimiter(separator.byte());
        let csv = csv.from_reader(LineEnds::of(file, separator));
        Rows { csv, record: ByteRecord::new(), before: line - 1, last: line - 1 }
    }

    pub fn headers(&mut self) -> csv::Result<&ByteRecord> {
        self.csv.byte_headers()
    }

    /// The line of a quote that is open where the file ends, once what was read last reaches to there.
    pub fn open_quote(&self) -> Option<u64> {
        let file = self.csv.get_ref();
        let before = file.split.before_open_quote().filter(|_| file.has_ended)?;
        Some(self.before + before + 1)
    }

    /// The next row.
    pub fn next(&mut self) -> csv::Result<Option<FileRow<'_>>> {
        if !self.csv.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        let inside = self.record.iter().flatten().filter(|byte| **byte == b'\n').count() as u64;
        let line = self.before + self.csv.position().line().saturating_sub(1 + inside);
        // A quote that is never closed takes the last line end into its cell, and would count it twice.
        self.last = line.max(self.last + 1);
        Ok(Some(FileRow { line: self.last, open_quote: self.open_quote(), record: &self.record }))
    }
}

/// Reads CRLF as LF, and ends the file with one.
struct LineEnds<R> {
    file: BufReader<R>,
    last: u8,
    /// Where what was read so far ends.
    split: Split,
    has_ended: bool,
}

impl<R: Read> LineEnds<R> {
    fn of(file: R, separator: Separator) -> LineEnds<R> {
        LineEnds { file: BufReader::new(file), last: b'\n', split: Split::new(separator), has_ended: false }
    }
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let chunk = self.file.fill_buf()?;
            if chunk.is_empty() && self.last != b'\n' && !out.is_empty() {
                (self.last, out[0]) = (b'\n', b'\n');
                return Ok(1);
            }
            let (taken, mut written) = (chunk.len().min(out.len()), 0);
            for &byte in &chunk[..taken] {
                // The LF of a CRLF is dropped and its CR is read as LF, so that nothing has to be read ahead.
                if !(byte == b'\n' && self.last == b'\r') {
                    out[written] = if byte == b'\r' { b'\n' } else { byte };
                    written += 1;
                }
                self.last = byte;
            }
            self.file.consume(taken);
            for byte in out.iter().take(written) {
                self.split.step(*byte);
            }
            self.has_ended |= taken == 0 && !out.is_empty();
            // Nothing written means the end of the file, unless all there was to take is the LF of a CRLF.
            if written > 0 || taken == 0 {
                return Ok(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "a,b\n1,2\n\n\n\"x\ny\",4\n5,6,7\n\n8,9";

    fn lines(file: impl Read) -> Vec<(u64, String)> {
        let mut rows = Rows::new(file, Separator::Comma);
        let mut out = vec![];
        while let Some(row) = rows.next().unwrap() {
            out.push((row.line, String::from_utf8_lossy(&row.record[0]).into_owned()));
        }
        out
    }

    /// One byte at a time, so that every line end falls between two reads.
    struct Trickle<'a>(&'a [u8]);
    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let end = out.len().min(1);
            self.0.read(&mut out[..end])
        }
    }

    #[test]
    fn rows_know_the_line_on_which_they_begin() {
        let expected = [(2, "1"), (5, "x\ny"), (7, "5"), (9, "8")].map(|(line, text)| (line, text.to_owned()));
        let windows = FILE.replace('\n', "\r\n");
        let mac = FILE.replace('\n', "\r");
        for file in [FILE, &format!("{FILE}\n"), &windows, &format!("{windows}\r\n"), &mac, &format!("\u{feff}{FILE}")]
        {
            assert_eq!(lines(file.as_bytes()), expected, "{file:?}");
            assert_eq!(lines(Trickle(file.as_bytes())), expected, "{file:?}");
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_is_known_by_its_line() {
        let open = |file: &str| {
            let mut rows = Rows::new(file.as_bytes(), Separator::Comma);
            let mut open = vec![];
            while let Some(row) = rows.next().unwrap() {
                open.push(row.open_quote);
            }
            open
        };
        assert_eq!(open("a,b\n1,2\n3,\"4\n5,6\n"), [None, Some(3)]);
        assert_eq!(open("a,b\n1,2\n\"3\n4\",\"5\n6,7"), [None, Some(4)]);
        assert_eq!(open("a,b\n1,\"2\""), [None]);
    }
}
