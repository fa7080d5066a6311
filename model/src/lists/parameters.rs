//! The parameters that lists have in common, as an address or a form says them.

use std::{collections::HashSet, str::FromStr};

use crate::{
    Problem,
    enum_words::{self, Reader, Word},
    extra_fields, grouped,
};

/// The most rows on a page.
pub const MAX_LIMIT: u32 = 200;

/// Parameters whose values are alternatives, so that each of them is meant.
const SEVERAL: [&str; 9] =
    ["programStatus", "coach", "homeCampus", "major", "startTerm", "studentType", "status", "state", "only"];

fn is_several(name: &str) -> bool {
    SEVERAL.contains(&name) || extra_fields::named(name).is_some()
}

/// Refuses a parameter that is there more than once and has one value: which of the two was meant nobody can know.
pub fn once<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    match names.into_iter().find(|name| !is_several(name) && !seen.insert(*name)) {
        Some(twice) => {
            let message = format!("{} is given more than once. Send it once.", enum_words::quoted(twice));
            Err(Problem::field(twice, "duplicate", message))
        }
        None => Ok(()),
    }
}

/// A page size from a query string.
pub fn limit(value: &str) -> Result<u32, Problem> {
    limit_upto::<MAX_LIMIT>(value)
}

/// A page size from a query string, of a list whose pages have so many rows at most.
pub fn limit_upto<const MOST: u32>(value: &str) -> Result<u32, Problem> {
    value.parse().ok().filter(|limit| (1..=MOST).contains(limit)).ok_or_else(|| {
        Problem::field("limit", "out_of_range", format!("Choose a page size from 1 to {}.", grouped(MOST.into())))
    })
}

/// A value from a query string or form, refused under its key with the choices as the reader knows them.
pub fn parse<T: Word + FromStr<Err = String>>(key: &str, value: &str, reader: Reader) -> Result<T, Problem> {
    value.parse().map_err(|why| {
        let message = match reader {
            Reader::Person => {
                let choices: Vec<_> = T::EACH.iter().map(|choice| choice.called(reader)).collect();
                enum_words::no_choice(value, &choices)
            }
            Reader::Program => format!("{key}: {why}."),
        };
        Problem::field(key, "invalid", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_one_value_there_is_one() {
        assert_eq!(once(["limit", "q", "limit"]).unwrap_err().errors[0].field, "limit");
        assert!(once(["programStatus", "q", "programStatus", "state", "state"]).is_ok());
        assert!(once(["extra.cohort", "extra.cohort"]).is_ok());
    }

    #[test]
    fn a_page_is_as_long_as_its_list_allows() {
        assert_eq!((limit("200").ok(), limit("201").ok(), limit("0").ok()), (Some(200), None, None));
        assert_eq!((limit_upto::<1_000>("1000").ok(), limit_upto::<1_000>("1001").ok()), (Some(1_000), None));
        assert_eq!(limit_upto::<1_000>("x").unwrap_err().errors[0].message, "Choose a page size from 1 to 1,000.");
    }
}
