//! A row packed into one piece of memory, because collapsing keeps one for each person of the file.

use csv::ByteRecord;
use serde::{Deserialize, Serialize};

/// The cells of a row that the mapping uses, trimmed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cells {
    text: Box<str>,
    /// Where each cell ends in `text`.
    ends: Box<[u32]>,
}

/// A column that the mapping uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportColumn {
    pub name: String,
    /// Its place in the file.
    pub place: usize,
}

impl Cells {
    /// Packs these columns of a row.
    pub fn pack(columns: &[ImportColumn], record: &ByteRecord) -> Result<Cells, String> {
        let mut text = String::new();
        let mut ends = Vec::with_capacity(columns.len());
        for ImportColumn { name, place } in columns {
            let cell = std::str::from_utf8(record.get(*place).unwrap_or_default());
            text.push_str(cell.map_err(|_| format!("{name}: not UTF-8"))?.trim());
            ends.push(u32::try_from(text.len()).map_err(|_| format!("{name}: the row is too long"))?);
        }
        Ok(Cells { text: text.into(), ends: ends.into() })
    }

    /// The cell of the `index`th packed column, or nothing when it is empty.
    pub fn get(&self, index: usize) -> Option<&str> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.text[start..self.ends[index] as usize]).filter(|cell| !cell.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_out_as_they_went_in() {
        let columns = [2, 0, 7].map(|place| ImportColumn { name: format!("c{place}"), place });
        let cells = Cells::pack(&columns, &ByteRecord::from(vec![" é ", "skipped", "b"])).unwrap();
        assert_eq!([0, 1, 2].map(|index| cells.get(index)), [Some("b"), Some("é"), None]);
        let latin1 = ByteRecord::from(vec![&b"\xe9"[..]]);
        assert_eq!(Cells::pack(&columns, &latin1), Err("c0: not UTF-8".to_owned()));
    }
}
