//! What is kept of a look at a file, with what was guessed: the page of its import is made of it.

use model::import::{DateForm, Separator, Sure};
use serde::{Deserialize, Serialize};

use crate::import::upload::RowCounts;

/// What was seen of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// So many lines.
    pub lines: u64,
    pub is_utf8: bool,
    #[serde(default = "commas")]
    pub separator: Separator,
    /// Whether somebody chose it.
    #[serde(default)]
    pub is_separator_chosen: bool,
    /// Without it in files of former versions, which have commas.
    #[serde(default)]
    pub rows: Option<RowCounts>,
    pub columns: Vec<FileColumn>,
}

fn commas() -> Separator {
    Separator::Comma
}

/// What was seen of a column.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileColumn {
    pub name: String,
    /// Why it cannot be matched, if so.
    pub unusable: Option<String>,
    pub samples: Vec<String>,
    /// All its values, if they are few.
    pub values: Vec<String>,
    pub guess: Guess,
}

/// What was guessed of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// The key of a field.
    pub field: Option<String>,
    pub dates: Option<DateForm>,
    pub sure: Sure,
    pub why: String,
}

impl Profile {
    /// The columns that can be matched, with their places.
    pub fn usable(&self) -> impl Iterator<Item = (usize, &FileColumn)> {
        self.columns.iter().enumerate().filter(|(_, column)| column.unusable.is_none())
    }
}
