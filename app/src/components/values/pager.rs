//! Which part of a list a page shows.

use model::Total;

use crate::components::values::numbers::{grouped, in_words};

/// `1–25 of 214` on the first page. Where another one begins is not counted: `25 on this page, 214 in all`.
pub fn place(shown: usize, total: Total, first: bool) -> String {
    let gone = total.exact && shown as u64 > total.value;
    let (shown, total) = (grouped(shown as u64), in_words(total));
    match (first, gone) {
        // Rows stay where they are when they no longer match.
        (_, true) => format!("{shown} on this page, of which {total} still match"),
        (true, false) => format!("1–{shown} of {total}"),
        (false, false) => format!("{shown} on this page, {total} in all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_known_is_not_claimed() {
        assert_eq!(place(25, Total::exactly(28_785), true), "1–25 of 28,785");
        assert_eq!(place(15, Total::exactly(12), true), "15 on this page, of which 12 still match");
        assert_eq!(place(10, Total { value: 10_000, exact: false }, false), "10 on this page, more than 10,000 in all");
    }
}
