//! What a cell must look like. Each check gives the value, or the reason against it, without the column's name.

use chrono::NaiveDate;

use crate::import::rows::field_source::DateOrder;

/// Characters in a one-line text. Names, campuses and the like are index entries, which have an upper bound.
const LONGEST: usize = 200;

/// RFC 5321, 4.5.3.1.3: a path is at most 256 characters, with its two brackets.
const LONGEST_EMAIL: usize = 254;

/// Text that fits on a line of a list.
pub fn line(text: &str) -> Result<String, String> {
    if text.chars().any(char::is_control) {
        return Err(format!("{} contains a control character", quoted(text)));
    }
    if text.chars().count() > LONGEST {
        return Err(format!("{} is longer than {LONGEST} characters", quoted(text)));
    }
    Ok(text.to_owned())
}

/// An address with one `@` between two parts and neither blanks nor control characters. Whether mail arrives is known
/// only by sending it, so nothing stricter is asked.
pub fn email(text: &str) -> Result<String, String> {
    let parts = text
        .split_once('@')
        .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if !parts || text.chars().any(|c| c.is_whitespace() || c.is_control()) || text.len() > LONGEST_EMAIL {
        return Err(format!("{} is not an email address", quoted(text)));
    }
    Ok(text.to_owned())
}

/// A date as ISO 8601 writes it.
pub fn date(text: &str) -> Result<NaiveDate, String> {
    // The parser alone would take `2004-2-3`, which spreadsheets write for two different days.
    let date = (text.len() == 10).then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()).flatten();
    date.ok_or_else(|| format!("{} is not a date like 2004-02-29", quoted(text)))
}

/// A date in three numbers, of which the last is the year.
pub fn date_in(order: DateOrder, text: &str) -> Result<NaiveDate, String> {
    let parts: Vec<&str> = text.split(['/', '.', '-', ' ']).collect();
    let whole = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let date = match parts[..] {
        [first, second, year] if year.len() == 4 && parts.iter().all(whole) && first.len() < 3 && second.len() < 3 => {
            let (day, month) = match order {
                DateOrder::DayFirst => (first, second),
                DateOrder::MonthFirst => (second, first),
            };
            NaiveDate::parse_from_str(&format!("{year}-{month:0>2}-{day:0>2}"), "%Y-%m-%d").ok()
        }
        _ => None,
    };
    let like = match order {
        DateOrder::DayFirst => "29/02/2004",
        DateOrder::MonthFirst => "02/29/2004",
    };
    date.ok_or_else(|| format!("{} is not a date like {like}", quoted(text)))
}

/// Yes or no in the words that exports use.
pub fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "1" => Ok(true),
        "false" | "no" | "n" | "0" => Ok(false),
        _ => Err(format!("{} is neither true nor false", quoted(text))),
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("{} is not a number", quoted(text)))
}

/// A cell in a reason: one line, and not all of a long one.
pub fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        shown.push('…');
    }
    format!("“{shown}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_two_parts_and_no_blanks() {
        for good in ["a@b", "ana.o'neil+x@example.org", "é@exämple.org"] {
            assert_eq!(email(good).as_deref(), Ok(good));
        }
        for bad in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\r\nBcc: x", &format!("{}@b", "a".repeat(300))] {
            assert!(email(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dates_flags_and_numbers_are_strict() {
        assert!(date("2004-02-29").is_ok());
        for bad in ["2003-02-29", "29/02/2004", "2004-2-29", "04-02-29", "2004-02-29T00:00"] {
            assert!(date(bad).is_err(), "{bad}");
        }
        let ordered = |order, text| date_in(order, text).map(|date| date.to_string()).ok();
        assert_eq!(ordered(DateOrder::DayFirst, "3/9/2004").as_deref(), Some("2004-09-03"));
        assert_eq!(ordered(DateOrder::MonthFirst, "03.09.2004").as_deref(), Some("2004-03-09"));
        for bad in ["31/02/2004", "3/9/04", "2004-09-03", "3/9", "+3/9/2004", "é/9/2004"] {
            assert_eq!(ordered(DateOrder::DayFirst, bad), None, "{bad}");
        }
        assert_eq!((flag("Yes"), flag("0")), (Ok(true), Ok(false)));
        assert!(flag("maybe").is_err() && number("NaN").is_err() && number("1,5").is_err());
    }

    #[test]
    fn reasons_stay_on_one_line() {
        assert_eq!(line("a\nb"), Err("“a\\nb” contains a control character".to_owned()));
        assert!(line(&"x".repeat(201)).unwrap_err().chars().count() < 100);
    }
}
