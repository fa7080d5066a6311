//! What is wrong with a line of a file apart from what stood there, so that a thousand bad values are one cause.

/// A reason against a line, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct LineCause {
    /// What all such lines have in common, beginning with the name of the column.
    pub what: String,
    /// What stood in this one.
    pub value: Option<String>,
    /// The reason with [`ANYTHING`] in the place of what differs from line to line: what to ask a ledger for.
    pub like: String,
}

/// What stands for any text between quotes, or for the number that a reason begins with.
pub const ANYTHING: &str = "…";
/// Between quotes.
const ANY_VALUE: &str = "“…”";

/// What a reason begins and ends with that stands for many.
pub fn parts(like: &str) -> Option<(&str, &str)> {
    let ends = |(before, after): (&str, &str)| (before.len() + "“".len(), like.len() - after.len() - "”".len());
    let quoted = like.split_once(ANY_VALUE).map(ends);
    let (to, from) =
        quoted.or_else(|| like.starts_with(&format!("{ANYTHING}{CELLS}")).then_some((0, ANYTHING.len())))?;
    Some((&like[..to], &like[from..]))
}

/// What comes between the numbers of cells of a line and of the header.
const CELLS: &str = " cells, but the first line has ";
const OPEN_QUOTE: &str = "the quote that opens in line ";

/// The cause of a reason as [`super::checked_row`] writes it.
pub fn of(reason: &str) -> LineCause {
    let so = |what: &str| LineCause { what: what.to_owned(), value: None, like: reason.to_owned() };
    if reason.starts_with(OPEN_QUOTE) {
        return so("a quote is never closed, so nothing after it is read");
    }
    if let Some((cells, of)) = reason.split_once(CELLS)
        && cells.bytes().all(|byte| byte.is_ascii_digit())
    {
        let like = format!("{ANYTHING}{CELLS}{of}");
        return LineCause { like, ..so("more or fewer cells than the first line has") };
    }
    let Some((before, rest)) = reason.split_once('“') else { return so(reason) };
    // A value may have quotes of its own.
    let Some((value, after)) = rest.rsplit_once('”') else { return so(reason) };
    let what = match before.is_empty() || before.ends_with(": ") {
        // “Email: “x” is not an address” is about the column: “Email: not an address”.
        true => format!("{before}{}", after.trim_start().trim_start_matches("is ")),
        false => format!("{before}{ANY_VALUE}{after}"),
    };
    LineCause { what, value: Some(value.to_owned()), like: format!("{before}{ANY_VALUE}{after}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_bad_values_are_one_cause_that_names_none_of_them() {
        let cause = |reason: &str| {
            let LineCause { what, value, .. } = of(reason);
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

    #[test]
    fn what_stands_for_many_reasons_begins_and_ends_as_each_of_them() {
        for reason in [
            "Status: “a ” b” is not a known value",
            "id: “S-1” is a member of staff",
            "3 cells, but the first line has 4",
        ] {
            let like = of(reason).like;
            let (begins, ends) = parts(&like).unwrap();
            assert!(reason.starts_with(begins) && reason.ends_with(ends) && like.len() > 1, "{like}");
            assert_eq!(of(&like).like, like);
        }
        let like = of("Status: “x” is not a known value").like;
        assert_eq!(parts(&like), Some(("Status: “", "” is not a known value")));
        let alone = of("name: the last name is missing").like;
        assert_eq!((alone.as_str(), parts(&alone)), ("name: the last name is missing", None));
        assert_eq!(parts("Status: “a long valu…” is not a known value"), None, "a value that was cut is one");
    }
}
