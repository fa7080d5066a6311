//! Keyset pages: what was found, where the next page begins, and how many there are.

use serde::{Deserialize, Serialize};

/// One page of a list. `next` is an opaque cursor, none on the last page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next: Option<String>,
    pub total: Total,
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

    /// `214`, or `more than 10,000`.
    pub fn label(self) -> String {
        let number = crate::grouped(self.value);
        if self.exact { number } else { format!("more than {number}") }
    }
}
