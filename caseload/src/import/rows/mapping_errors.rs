//! What is wrong with a mapping that cannot be read: the line, and what belongs there, in plain words.

use crate::import::rows::check::quoted;

/// How a line of a mapping looks, for whoever has never written one.
const EXAMPLE: &str = "school_id = \"Student number\"";

/// The line at fault and what is wrong with it.
pub fn words(mapping: &str, error: &toml::de::Error) -> String {
    let why = |line: usize| match mapping.parse::<toml::Table>() {
        Ok(_) => meaning(error.message()),
        Err(error) => writing(mapping.lines().nth(line).unwrap_or_default().trim(), error.message()),
    };
    match error.span() {
        Some(span) => {
            let line = mapping.bytes().take(span.start).filter(|byte| *byte == b'\n').count();
            format!("Line {}: {}", line + 1, why(line))
        }
        None => format!("Somewhere, {}", why(0)),
    }
}

/// Of a line that is no TOML.
fn writing(line: &str, message: &str) -> String {
    match line {
        "" => "a quote or a bracket before it is never closed.".to_owned(),
        line if message.starts_with("duplicate") => format!("{} repeats an earlier line.", quoted(line)),
        line => format!("{} cannot be read. Write it like {EXAMPLE}.", quoted(line)),
    }
}

/// Of TOML that is no mapping: the reader of it names keys between backticks, and first the one at fault.
fn meaning(message: &str) -> String {
    let mut named = message.split('`').skip(1).step_by(2);
    let first = named.next().map(quoted).unwrap_or_default();
    let known: Vec<&str> = named.collect();
    if message.starts_with("unknown ") {
        return format!("{first} is not known here. Use one of: {}.", known.join(", "));
    }
    if message.starts_with("missing field ") {
        return format!("{first} is missing.");
    }
    if message.starts_with("data did not match ") {
        return "expected: text in quotes, a whole number, true or false.".to_owned();
    }
    match message.split_once(", expected ") {
        Some((_, "a boolean")) => "expected: true or false.".to_owned(),
        Some((_, "a string")) => "expected: text in quotes.".to_owned(),
        Some((_, belongs)) => format!("expected: {belongs}."),
        None => format!("{message}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Mapping;

    fn refused(mapping: &str) -> String {
        words(mapping, &toml::from_str::<Mapping>(mapping).unwrap_err())
    }

    #[test]
    fn the_line_is_named_and_what_belongs_there() {
        assert_eq!(
            refused("[person]\nschool_id = \"id\"\nschool name\n"),
            "Line 3: “school name” cannot be read. Write it like school_id = \"Student number\"."
        );
        assert_eq!(refused("invent = \"yes\"\n[person]\n"), "Line 1: expected: true or false.");
    }

    #[test]
    fn what_the_parser_says_is_said_in_words_for_people() {
        for (message, words) in [
            (
                "unknown field `colunm`, expected one of `column`, `value`",
                "“colunm” is not known here. Use one of: column, value.",
            ),
            (
                "unknown variant `newest`, expected `latest` or `most`",
                "“newest” is not known here. Use one of: latest, most.",
            ),
            ("missing field `keep`", "“keep” is missing."),
            ("invalid type: sequence, expected the name of a column", "expected: the name of a column."),
            ("exactly one of `column` and `value` is needed", "exactly one of `column` and `value` is needed."),
        ] {
            assert_eq!(meaning(message), words);
        }
    }
}
