//! What stands between the cells of a file, guessed from its first lines: that by which they all have the same number of cells, and
//! of several such the one by which they have the most. What stands within quotes is none.

use model::import::Separator;

use crate::import::read::lines::Rows;

/// So much of a file is looked at: lines, and bytes.
const LINES: usize = 20;
pub const BYTES: usize = 64 * 1024;

/// The separator of the file that begins so.
pub fn guess(beginning: &[u8]) -> Separator {
    let beginning = beginning.get(..BYTES).unwrap_or(beginning);
    let fits = Separator::ALL.iter().rev().filter_map(|separator| Some((fit(beginning, *separator)?, *separator)));
    fits.max_by_key(|(fit, _)| *fit).map_or(Separator::Comma, |(_, separator)| separator)
}

/// How well: of the lines so many in a thousand are as wide as the first one, whether no quote stands in the middle of a cell, and how
/// wide they are. Nothing if it separates nothing.
fn fit(beginning: &[u8], separator: Separator) -> Option<(usize, bool, usize)> {
    let mut rows = Rows::from(beginning, 1, separator);
    let (mut widths, mut is_clean) = (Vec::new(), true);
    while widths.len() < LINES
        && let Ok(Some(row)) = rows.next()
    {
        widths.push(row.record.len());
        is_clean &= !row.record.iter().any(|cell| cell.contains(&b'"'));
    }
    // What is looked at may end within a line.
    if widths.len() > 2 && widths.len() < LINES {
        widths.pop();
    }
    let first = *widths.first()?;
    let alike = widths.iter().filter(|width| **width == first).count();
    (first > 1).then_some((alike * 1_000 / widths.len(), is_clean, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_is_seen_in_the_first_lines() {
        for (file, separator) in [
            ("id,name\n1,Ann\n", Separator::Comma),
            ("id;name\n1;Ann\n", Separator::Semicolon),
            ("id\tname\r\n1\tAnn\r\n", Separator::Tab),
            ("id;name;note\n1;Ann;3,5\n2;Bo;1,5\n", Separator::Semicolon),
            ("id;\"last, first\"\n1;\"Li, Bo\"\n2;\"Ek, Ann\"\n", Separator::Semicolon),
            ("id,\"a;b;c\"\n1,x\n", Separator::Comma),
            ("id;\"two\nlines\"\n1;Ann\n", Separator::Semicolon),
            ("id,x;y\n1,a;b\n", Separator::Comma),
            ("name;id\n\"a, b, c\";1\n", Separator::Semicolon),
            ("id\n1\n", Separator::Comma),
            ("", Separator::Comma),
        ] {
            assert_eq!(guess(file.as_bytes()), separator, "{file:?}");
        }
    }
}
