//! How Docket writes enums and numbers: one macro for enums that are stored, sent and shown, and the grouping of digits.

/// A text that stands by itself, with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether a text has characters that nobody typed: control characters other than line breaks and tabs. One of them, NUL,
/// is refused by one of the databases and kept by the other.
pub fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// Whether a name that somebody chose for something has at most so many characters, and none by which it would be shown otherwise
/// than it is written: no control characters, and none of those that turn the direction of what stands beside them.
pub fn is_name(text: &str, longest: usize) -> bool {
    let turns =
        |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    text.chars().count() <= longest && !text.chars().any(|c| c.is_control() || turns(c))
}

/// Who reads a refusal: a person knows a choice by its label, a program by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Person,
    Program,
}

/// An enum of [`words`].
pub trait Word: Sized + 'static {
    /// Every value, in the order in which people see them.
    const EACH: &'static [Self];

    /// What this reader calls it.
    fn called(&self, reader: Reader) -> &'static str;
}

/// Declares an enum whose variants have a stored name (`ACTIVE`) and a shown label (`Active`), with conversions both ways.
macro_rules! words {
    // `tt` and not `literal`: that would reach the derives inside a group, into which the schema's does not look.
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $stored:tt, $label:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "orm", derive(sea_orm::EnumIter, sea_orm::DeriveActiveEnum))]
        #[cfg_attr(feature = "orm", sea_orm(rs_type = "String", db_type = "Text"))]
        pub enum $name {
            $($(#[$vmeta])*
            #[serde(rename = $stored)]
            #[cfg_attr(feature = "orm", sea_orm(string_value = $stored))]
            $variant,)+
        }

        impl $name {
            /// Every value, in the order in which people see them.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name in tables, URLs and JSON.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $stored),+ }
            }

            /// The word people read.
            pub fn label(self) -> &'static str {
                match self { $($name::$variant => $label),+ }
            }
        }

        impl $crate::enum_words::Word for $name {
            const EACH: &'static [$name] = $name::ALL;

            fn called(&self, reader: $crate::enum_words::Reader) -> &'static str {
                match reader {
                    $crate::enum_words::Reader::Person => self.label(),
                    $crate::enum_words::Reader::Program => self.name(),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            /// Accepts the stored name only; the error names what was given.
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($stored => Ok($name::$variant),)+
                    other => Err(format!("{} is not one of {}", $crate::enum_words::quoted(other), [$($stored),+].join(", "))),
                }
            }
        }
    };
}
pub(crate) use words;

/// What a caller wrote, to be named in a refusal: of a longer text the beginning, so that nobody says anything on a page of Docket's
/// by an address that they give away.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut rest = text.chars();
    let shown: String = rest.by_ref().take(LONGEST).collect();
    format!("“{shown}{}”", if rest.next().is_some() { "…" } else { "" })
}

/// What a person chose where there is no such choice, with those that there are.
pub fn no_choice(given: &str, choices: &[&str]) -> String {
    let given = quoted(given);
    match choices {
        [] => format!("{given} is not a choice here."),
        [one] => format!("{given} is not a choice here. Choose {one}."),
        [others @ .., last] => format!("{given} is not a choice here. Choose {} or {last}.", others.join(", ")),
    }
}

/// `1 task`, or `1,200 tasks`.
pub fn tasks(number: u64) -> String {
    counted(number, "task", "tasks")
}

/// A number of things, by the word for one and the word for several.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// A number with its digits grouped in threes: `12,345`.
pub fn grouped(number: u64) -> String {
    grouped_by(number, ',')
}

/// A number with something else between its groups: `12.345`.
pub fn grouped_by(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// `1 person`, `2 people`, `1,204 people`.
pub fn people(count: u64) -> String {
    counted(count, "person", "people")
}

/// A time within which something is to be done, in whole words: `3 days`, `5 hours`, `30 minutes`.
pub fn lasting(seconds: u64) -> String {
    match seconds / 3_600 {
        hours @ 48.. => counted(hours / 24, "day", "days"),
        hours @ 2.. => counted(hours, "hour", "hours"),
        _ => counted(seconds.div_ceil(60), "minute", "minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_says_more_than_a_word_in_a_refusal() {
        assert_eq!(quoted("sideways"), "“sideways”");
        assert_eq!(quoted("Your account is locked! Call +1-555-0100"), "“Your account is locked! …”");
    }

    #[test]
    fn a_name_is_shown_as_it_is_written() {
        for name in ["report", "Zürich – 北京 😀", "אבג דה", "né\u{200d}e"] {
            assert!(is_name(name, 20), "{name}");
        }
        for turned in '\u{202a}'..='\u{202e}' {
            assert!(!is_name(&format!("report{turned}gpj.exe"), 60), "{turned:?}");
        }
        for hidden in ["\u{2066}x", "x\u{2069}", "x\u{200e}", "\u{200f}x", "\u{61c}x", "a\nb", "a\0b"] {
            assert!(!is_name(hidden, 60), "{hidden:?}");
        }
        assert!(is_name("12345", 5) && !is_name("123456", 5));
    }

    #[test]
    fn a_person_is_told_the_choices_there_are() {
        assert_eq!(no_choice("x", &["Mine"]), "“x” is not a choice here. Choose Mine.");
        assert_eq!(no_choice("x", &["All", "Open", "Done"]), "“x” is not a choice here. Choose All, Open or Done.");
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(["0", "999", "1,000", "1,234,567"].map(String::from), [0, 999, 1_000, 1_234_567].map(grouped));
        assert_eq!(people(1), "1 person");
    }
}
