//! Keyset pages: what was found, where the next page begins, and how many there are.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Problem, length::within};

/// One page of a list; no `next` on the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<Cursor>,
    pub total: Total,
}

/// Where the next page of a list begins. What is in it is known to the list that gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
#[serde(transparent)]
pub struct Cursor(String);

impl Cursor {
    /// The longest that is read, in bytes: a folded name and an id, encoded twice.
    const LONGEST: usize = 4 * 1024;

    /// After this place.
    pub fn after(place: impl ToString) -> Cursor {
        Cursor(place.to_string())
    }

    /// As it came back in an address.
    pub fn read(text: &str) -> Result<Cursor, Problem> {
        within::<{ Cursor::LONGEST }>(text).map(Cursor::after).map_err(|_| Cursor::gone())
    }

    /// The place, where it is written plainly.
    pub fn place<T: FromStr>(&self) -> Result<T, Problem> {
        self.0.parse().map_err(|_| Cursor::gone())
    }

    /// The refusal of a cursor that the list has not given, or knows no longer.
    pub fn gone() -> Problem {
        Problem::field("after", "invalid", "This page does not exist. Go to the first page.")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How many rows a list has. Counting stops at a bound, so that a list over a million rows opens as fast as a short one;
/// then `exact` is false and `value` is that bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Total {
    pub value: u64,
    pub exact: bool,
}

impl Total {
    pub fn exactly(value: u64) -> Self {
        Total { value, exact: true }
    }

    /// What a count that went no further than just beyond `most` has found.
    pub fn upto(most: u64, count: u64) -> Self {
        Total { value: count.min(most), exact: count <= most }
    }

    /// `214`, or `10,000+`.
    pub fn short(self) -> String {
        let number = crate::grouped(self.value);
        if self.exact { number } else { format!("{number}+") }
    }
}
