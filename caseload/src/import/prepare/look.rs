//! A look at the first lines of a file: its columns, a few of their values, and what those look like. What can be no list of people is
//! refused.

use std::collections::BTreeSet;

use crate::{
    Result,
    files::store::Files,
    import::{
        file_lines::{self, FileHead},
        prepare::content::Content,
        read::batches::Batches,
        spec::UPLOAD,
        upload::{RowCounts, UploadedFile, unread, unreadable},
    },
};
use csv::ByteRecord;
use model::{Problem, import::Separator};

/// So many lines are looked at.
const LOOKED_AT: u64 = 5_000;
/// The most columns of a file.
const COLUMNS: usize = 200;
/// The longest name of a column that can be matched, in characters.
const LONGEST_NAME: usize = 200;
/// Values of a column that are shown.
const SAMPLES: usize = 3;
/// Characters of a value that are kept.
pub const SHOWN: usize = 40;
/// The most different values of a column that are told apart.
pub const DIFFERENT: usize = 200;

/// A column while it is looked at.
pub struct SeenColumn {
    pub name: String,
    pub unusable: Option<String>,
    /// In the order in which they came.
    pub samples: Vec<String>,
    /// Up to one more than are told apart.
    pub different: BTreeSet<String>,
    pub content: Content,
}

/// The first lines of a file, column by column.
pub struct Seen {
    pub lines: u64,
    pub is_utf8: bool,
    pub separator: Separator,
    /// Whether it was said, and not guessed.
    pub is_separator_chosen: bool,
    pub rows: RowCounts,
    pub columns: Vec<SeenColumn>,
}

/// Looks at a file that lies in the store, whose separator is guessed unless it is said. What can be no list of people is refused.
pub async fn look(files: &Files, file: &UploadedFile, chosen: Option<Separator>) -> Result<Seen> {
    let path = Files::of(file.id, UPLOAD);
    let head = file_lines::head(files, &path, &file.blocks, chosen).await.map_err(unread)?;
    let FileHead { names, separator, body } = head.map_err(|error| unreadable(error.to_string()))?;
    let (columns, is_separator_chosen, rows) = (columns(&names)?, chosen.is_some(), file.rows);
    let mut seen = Seen { lines: 0, is_utf8: true, separator, is_separator_chosen, rows, columns };
    let mut batches = Batches::open(files, &path, &file.blocks, body, separator).await.map_err(unread)?;
    while seen.lines < LOOKED_AT
        && let Some(batch) = batches.next().await.map_err(unread)?
    {
        file_lines::each(&batch, separator, |row| seen.note(row.record)).map_err(unread)?;
    }
    if seen.lines == 0 {
        return Err(unreadable("This file has column names, but no lines below them. Choose a file with lines.").into());
    }
    Ok(seen)
}

/// The columns that a header names.
fn columns(header: &ByteRecord) -> Result<Vec<SeenColumn>, Problem> {
    let bytes = header.as_slice();
    if bytes.starts_with(b"PK") || bytes.contains(&0) {
        return Err(unreadable("This is not a CSV file. In a spreadsheet, choose “Save as” and CSV (UTF-8)."));
    }
    let names = header.iter().map(|name| std::str::from_utf8(name.trim_ascii()).map(str::trim).map(str::to_owned));
    let names: Vec<String> = names.collect::<Result<_, _>>().map_err(|_| {
        unreadable("The column names are not UTF-8. In a spreadsheet, choose “Save as” and CSV (UTF-8).")
    })?;
    if let [only] = &names[..]
        && only.contains('|')
    {
        let why = "The columns of this file are separated by bars. Save it with commas, and upload it again.";
        return Err(unreadable(why));
    }
    if names.len() > COLUMNS {
        let why = format!(
            "This file has {} columns, and Docket can match {COLUMNS}. Remove some, and upload it again.",
            names.len()
        );
        return Err(unreadable(why));
    }
    if names.iter().all(String::is_empty) {
        return Err(unreadable("The first line of this file has no column names. Add them, and upload it again."));
    }
    Ok(names.iter().map(|name| SeenColumn::new(name, &names)).collect())
}

impl SeenColumn {
    fn new(name: &str, all: &[String]) -> SeenColumn {
        let unusable = if name.is_empty() {
            Some("It has no name in the first line".to_owned())
        } else if all.iter().filter(|other| *other == name).count() > 1 {
            Some("Several columns have this name; rename all but one to import it".to_owned())
        } else if !model::enum_words::is_name(name, LONGEST_NAME) {
            Some(format!("Its name is longer than {LONGEST_NAME} characters or contains unusual ones"))
        } else {
            None
        };
        let name = name.chars().take(LONGEST_NAME).map(|c| if c.is_control() { ' ' } else { c }).collect();
        SeenColumn { name, unusable, samples: Vec::new(), different: BTreeSet::new(), content: Content::default() }
    }

    fn note(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.content.note(cell);
        let is_new =
            self.different.len() <= DIFFERENT && cell.len() <= SHOWN * 8 && self.different.insert(cell.to_owned());
        if is_new && self.samples.len() < SAMPLES {
            self.samples.push(shortened(cell));
        }
    }
}

impl Seen {
    fn note(&mut self, record: &ByteRecord) {
        if self.lines >= LOOKED_AT {
            return;
        }
        self.lines += 1;
        for (column, cell) in self.columns.iter_mut().zip(record) {
            match std::str::from_utf8(cell) {
                Ok(cell) => column.note(cell.trim()),
                Err(_) => self.is_utf8 = false,
            }
        }
    }
}

/// As much of a value as is shown, on one line.
pub fn shortened(cell: &str) -> String {
    shortened_to(SHOWN, cell)
}

/// So many characters of a value, on one line.
pub fn shortened_to(most: usize, cell: &str) -> String {
    let mut shown: String = cell.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cell.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}
