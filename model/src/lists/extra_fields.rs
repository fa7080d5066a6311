//! Filters by what an import keeps of people beyond the known fields: `extra.cohort=2026` in an address.

use std::collections::BTreeMap;

use crate::{Problem, enum_words, length};

/// What the key of such a filter begins with; the name of the field follows.
pub const KEY: &str = "extra.";

/// The longest name or value, in characters: what is longer is in no index.
pub const LONGEST: usize = 200;
const MAX_BYTES: usize = 4 * LONGEST;
/// Each field is looked up by itself.
const MAX_FIELDS: usize = 5;
const MAX_VALUES: usize = 20;

/// The values of each field; they are alternatives.
pub type ExtraFields = BTreeMap<String, Vec<String>>;

/// The key of a filter by this field.
pub fn key(name: &str) -> String {
    format!("{KEY}{name}")
}

/// The name of the field that a key is about.
pub fn named(key: &str) -> Option<&str> {
    key.strip_prefix(KEY).filter(|name| !name.is_empty())
}

/// Whether a name or a value is one that a filter can have.
pub fn can_be_asked_for(text: &str) -> bool {
    is_short(text) && !text.is_empty() && !enum_words::has_control(text)
}

fn is_short(text: &str) -> bool {
    length::within::<MAX_BYTES>(text).is_ok() && text.chars().count() <= LONGEST
}

/// Trimmed, bounded and without repetitions; refuses what is out of bounds by name.
pub fn checked(fields: ExtraFields) -> Result<ExtraFields, Problem> {
    let mut all = ExtraFields::new();
    for (name, values) in fields.into_iter().filter(|(_, values)| !values.is_empty()) {
        if !can_be_asked_for(&name) {
            let message = format!("The name of a field has 1 to {LONGEST} characters, and no control characters.");
            return Err(Problem::field("extra", "invalid", message));
        }
        let values = checked_values(&name, values)?;
        if !values.is_empty() {
            all.insert(name, values);
        }
        if all.len() > MAX_FIELDS {
            let message = format!("Filter by at most {MAX_FIELDS} other fields at once.");
            return Err(Problem::field("extra", "too_many", message));
        }
    }
    Ok(all)
}

fn checked_values(name: &str, values: Vec<String>) -> Result<Vec<String>, Problem> {
    let refused = |code, message: String| Err(Problem::field(&key(name), code, message));
    if values.len() > MAX_VALUES {
        return refused("too_many", format!("Choose at most {MAX_VALUES} values of {}.", enum_words::quoted(name)));
    }
    if values.iter().any(|value| !is_short(value)) {
        let whose = enum_words::quoted(name);
        return refused("too_long", format!("Each value of {whose} can have at most {LONGEST} characters."));
    }
    if values.iter().any(|value| enum_words::has_control(value)) {
        return refused("invalid", "Remove the characters that cannot be searched for.".to_owned());
    }
    let mut values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    values.retain(|value| !value.is_empty());
    values.sort();
    values.dedup();
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, values: &[&str]) -> ExtraFields {
        ExtraFields::from([(name.to_owned(), values.iter().map(ToString::to_string).collect())])
    }

    #[test]
    fn values_are_trimmed_and_each_is_there_once() {
        assert_eq!(checked(of("band", &["B", " A ", "B", " "])).unwrap(), of("band", &["A", "B"]));
        assert_eq!(checked(of("band", &[" "])).unwrap(), ExtraFields::new());
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_by_name() {
        let field = |fields| checked(fields).unwrap_err().errors[0].field.clone();
        assert_eq!(field(of("band", &["a".repeat(201).as_str()])), "extra.band");
        assert_eq!(field(of("band", &["a\0b"])), "extra.band");
        assert_eq!(field(of("band", &["a"; 21])), "extra.band");
        assert_eq!(field(of(&"a".repeat(201), &["a"])), "extra");
        assert_eq!(field((0..6).flat_map(|n| of(&format!("f{n}"), &["a"])).collect()), "extra");
    }
}
