//! Where the rows of a CSV file end, byte by byte, as the csv crate would see it: so that a file which is never whole in memory
//! can be counted while it comes in, and cut between two rows.

use model::import::Separator;

/// What has been read of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellState {
    /// Nothing of a cell.
    Cell,
    /// A cell without quotes.
    Plain,
    Quoted,
    /// A quote within a quoted cell: its end, or the first of two.
    Quote,
    /// A carriage return, which may be half of a line end.
    Return,
}

/// Follows a file from the beginning of a row on.
#[derive(Clone, Debug)]
pub struct Split {
    separator: u8,
    state: CellState,
    /// Whether the row has anything in it: empty lines are no rows.
    begun: bool,
    /// Whether the byte before was a carriage return, with which a line feed is one line end.
    returned: bool,
    /// Rows that have ended.
    pub rows: u64,
    /// Lines that have ended, also within quotes.
    pub lines: u64,
    /// Of these, those before the quote that was opened last.
    before_quote: u64,
}

impl Split {
    pub fn new(separator: Separator) -> Split {
        let separator = separator.byte();
        Split { separator, state: CellState::Cell, begun: false, returned: false, rows: 0, lines: 0, before_quote: 0 }
    }

    /// How many lines end before a quote that has been opened and not closed.
    pub fn before_open_quote(&self) -> Option<u64> {
        (self.state == CellState::Quoted).then_some(self.before_quote)
    }

    /// The next byte. Whether a row can be cut off before it: the bytes so far are whole rows.
    pub fn step(&mut self, byte: u8) -> bool {
        let between = matches!(self.state, CellState::Cell | CellState::Return) && !self.begun;
        let whole = between && !(self.state == CellState::Return && byte == b'\n');
        self.lines += u64::from(byte == b'\r' || byte == b'\n' && !self.returned);
        self.returned = byte == b'\r';
        match (self.state, byte) {
            (CellState::Return, b'\n') => self.state = CellState::Cell,
            (CellState::Quoted, b'"') => self.state = CellState::Quote,
            (CellState::Quoted, _) => {}
            (CellState::Quote, b'"') => self.state = CellState::Quoted,
            (_, b'\n' | b'\r') => {
                self.end();
                self.state = if byte == b'\r' { CellState::Return } else { CellState::Cell };
            }
            (_, byte) if byte == self.separator => (self.state, self.begun) = (CellState::Cell, true),
            (CellState::Cell | CellState::Return, b'"') => {
                (self.state, self.begun, self.before_quote) = (CellState::Quoted, true, self.lines);
            }
            _ => (self.state, self.begun) = (CellState::Plain, true),
        }
        whole
    }

    /// The file, or what is followed of it, ends here.
    pub fn end(&mut self) {
        self.rows += u64::from(std::mem::take(&mut self.begun));
    }
}

/// What some programs begin a text with: no part of the first cell.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How much of these bytes are whole rows, and on how many lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeRows {
    pub length: usize,
    pub lines: u64,
    /// How many lines end before a quote that has been opened and not closed.
    pub before_open_quote: Option<u64>,
}

/// The whole rows of these bytes, all of them when it is the end of the file. They begin with a row.
pub fn whole_rows(bytes: &[u8], is_end: bool, separator: Separator) -> WholeRows {
    let mut split = Split::new(separator);
    let mut cut = (0, 0);
    let mark = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    for (at, &byte) in bytes.iter().enumerate().skip(mark) {
        let lines = split.lines;
        if split.step(byte) {
            cut = (at, lines);
        }
    }
    // What ends in a line end is whole, unless the other half of it is still to come.
    let ends_whole = bytes.last() == Some(&b'\n') && !split.begun && split.state == CellState::Cell;
    let (length, lines) = if is_end || ends_whole { (bytes.len(), split.lines) } else { cut };
    WholeRows { length, lines, before_open_quote: split.before_open_quote() }
}

/// Where the row after the first one begins, and how many lines it is from there to the beginning.
pub fn first_row(bytes: &[u8], separator: Separator) -> (usize, u64) {
    let mut split = Split::new(separator);
    let mark = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    for (at, &byte) in bytes.iter().enumerate().skip(mark) {
        let lines = split.lines;
        if split.step(byte) && split.rows == 1 {
            return (at, lines);
        }
    }
    (bytes.len(), split.lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "id,name\r\n1,\"two\nlines\"\n\n\n2,a\"b\r3,\"x\"\"y\"\r\n\"4\"z,\"\"\n,\n";

    #[test]
    fn rows_are_counted_as_they_are_read() {
        let mut split = Split::new(Separator::Comma);
        for byte in FILE.bytes() {
            split.step(byte);
        }
        split.end();
        let read = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(FILE.as_bytes());
        assert_eq!(split.rows, read.into_records().count() as u64);
        assert_eq!(split.lines, 9);
    }

    #[test]
    fn a_quote_that_is_open_is_known_by_its_line() {
        let open = |file: &str, separator| whole_rows(file.as_bytes(), true, separator).before_open_quote;
        assert_eq!(open("id,name\n1,\"a\nb\"\n2,\"x\n", Separator::Comma), Some(3));
        assert_eq!(open("id;name\n1;\"x\"\"y\n", Separator::Semicolon), Some(1));
        assert_eq!(open("id;name\n1;\"x\n", Separator::Comma), None, "there it is within a cell");
        assert_eq!(open(FILE, Separator::Comma), None);
    }

    #[test]
    fn wherever_a_file_is_cut_its_rows_are_the_same() {
        let rows = |bytes: &[u8]| -> Vec<csv::ByteRecord> {
            let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
            reader.into_byte_records().map(Result::unwrap).collect()
        };
        for length in 1..FILE.len() {
            let cut = whole_rows(&FILE.as_bytes()[..length], false, Separator::Comma).length;
            let (before, after) = FILE.as_bytes().split_at(cut);
            assert_eq!([rows(before), rows(after)].concat(), rows(FILE.as_bytes()), "cut at {cut} of {length}");
            assert!(!after.starts_with(b"\n") || FILE.as_bytes()[..cut].ends_with(b"\n"), "a line end is not cut");
        }
    }
}
