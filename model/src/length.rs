//! Whoever reads what somebody sent asks first how long it is: a reader takes its text through here, before anything else.

use crate::Problem;

/// A text is longer than anything that it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is too long. The limit is {} bytes.", crate::grouped(*most as u64))]
pub struct TooLong {
    pub most: usize,
}

impl TooLong {
    /// As the refusal of a field.
    pub fn of(self, field: &str) -> Problem {
        Problem::field(field, "too_long", self.to_string())
    }
}

/// The text, if it has at most so many bytes. It is told by its length alone, whatever is in it.
pub fn within<const MOST: usize>(text: &str) -> Result<&str, TooLong> {
    if text.len() <= MOST { Ok(text) } else { Err(TooLong { most: MOST }) }
}
