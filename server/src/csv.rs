//! CSV for spreadsheets: RFC 4180, and no cell that a spreadsheet would take for a formula.

use std::borrow::Cow;

/// A writer into memory, with the line ends of the standard.
pub fn writer() -> ::csv::Writer<Vec<u8>> {
    ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new())
}

/// The cell, with a `'` in front if a spreadsheet would run it. Numbers stay numbers.
pub fn safe(cell: &str) -> Cow<'_, str> {
    let suspicious = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    match suspicious && !is_number(cell) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// A sign, digits, and at most one point: nothing else that begins with a sign is safe as it is.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_numbers_are_not() {
        for dangerous in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\r=1", "-", "-1e5", "+1.2.3"] {
            assert_eq!(safe(dangerous), format!("'{dangerous}"));
        }
        for harmless in ["", "Ann", "-5", "+4.25", "a=b", "'", "O’Neil"] {
            assert_eq!(safe(harmless), harmless);
        }
    }
}
