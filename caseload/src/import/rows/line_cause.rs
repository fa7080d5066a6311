//! What is wrong with a line of a file apart from what stood there, so that a thousand bad values are one cause.

/// A reason against a line, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct LineCause {
    /// What all such lines have in common, beginning with the name of the column.
    pub what: String,
    /// What stood in this one.
    pub value: Option<String>,
}

/// What comes between the numbers of cells of a line and of the header.
const CELLS: &str = " cells, but the first line has ";
const OPEN_QUOTE: &str = "the quote that opens in line ";

/// The cause of a reason as [`super::checked_row`] writes it.
pub fn of(reason: &str) -> LineCause {
    let so = |what: &str| LineCause { what: what.to_owned(), value: None };
    if reason.starts_with(OPEN_QUOTE) {
        return so("a quote is never closed, so nothing after it is read");
    }
    if reason.split_once(CELLS).is_some_and(|(cells, _)| cells.bytes().all(|byte| byte.is_ascii_digit())) {
        return so("more or fewer cells than the first line has");
    }
    let Some((before, rest)) = reason.split_once('“') else { return so(reason) };
    // A value may have quotes of its own.
    let Some((value, after)) = rest.rsplit_once('”') else { return so(reason) };
    let what = match before.is_empty() || before.ends_with(": ") {
        // “Email: “x” is not an address” is about the column: “Email: not an address”.
        true => format!("{before}{}", after.trim_start().trim_start_matches("is ")),
        false => format!("{before}“…”{after}"),
    };
    LineCause { what, value: Some(value.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_bad_values_are_one_cause_that_names_none_of_them() {
        let cause = |reason: &str| {
            let LineCause { what, value } = of(reason);
            (what, value.unwrap_or_default())
        };
        for (reason, what, value) in [
            ("Status: “Fail” is not a known value", "Status: not a known value", "Fail"),
            ("Status: “a ” b” is not a known value", "Status: not a known value", "a ” b"),
            ("born: “x” is not a date like 2004-02-29", "born: not a date like 2004-02-29", "x"),
            ("Note: “a\\nb” contains a control character", "Note: contains a control character", "a\\nb"),
            ("id: “S-1” is a member of staff", "id: a member of staff", "S-1"),
            (
                "Coach: no member of staff has the school ID “9”, and a file adds none",
                "Coach: no member of staff has the school ID “…”, and a file adds none",
                "9",
            ),
            ("3 cells, but the first line has 4", "more or fewer cells than the first line has", ""),
            (
                "the quote that opens in line 7 is never closed, so nothing after it is read",
                "a quote is never closed, so nothing after it is read",
                "",
            ),
            ("name: the last name is missing", "name: the last name is missing", ""),
        ] {
            assert_eq!(cause(reason), (what.to_owned(), value.to_owned()), "{reason}");
        }
    }
}
