//! The rows of a CSV file, each with the line on which it begins, as an editor would number it.
//!
//! The csv crate numbers the place where it stopped reading, which is a line early after CRLF and at the blank lines
//! before a row. So line ends are made alike first, and the line is counted back from the end of the row.

use std::io::{self, BufRead, BufReader, Read};

use csv::ByteRecord;

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
    pub fn new(file: R) -> Rows<R> {
        let file = LineEnds { file: BufReader::new(file), last: b'\n' };
        // Rows of another width are refused one by one instead of ending the import.
        Rows {
            csv: csv::ReaderBuilder::new().flexible(true).from_reader(file),
            record: ByteRecord::new(),
            before: 0,
            last: 1,
        }
    }

    /// Rows without a header, the first of which begins on this line.
    pub fn from(file: R, line: u64) -> Rows<R> {
        let file = LineEnds { file: BufReader::new(file), last: b'\n' };
        let csv = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(file);
        Rows { csv, record: ByteRecord::new(), before: line - 1, last: line - 1 }
    }

    pub fn headers(&mut self) -> csv::Result<&ByteRecord> {
        self.csv.byte_headers()
    }

    /// The next row and the line on which it begins.
    pub fn next(&mut self) -> csv::Result<Option<(u64, &ByteRecord)>> {
        if !self.csv.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        let inside = self.record.iter().flatten().filter(|byte| **byte == b'\n').count() as u64;
        let line = self.before + self.csv.position().line().saturating_sub(1 + inside);
        // A quote that is never closed takes the last line end into its cell, and would count it twice.
        self.last = line.max(self.last + 1);
        Ok(Some((self.last, &self.record)))
    }
}

/// Reads CRLF as LF, and ends the file with one.
struct LineEnds<R> {
    file: BufReader<R>,
    last: u8,
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
        let mut rows = Rows::new(file);
        let mut out = vec![];
        while let Some((line, record)) = rows.next().unwrap() {
            out.push((line, String::from_utf8_lossy(&record[0]).into_owned()));
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
}
